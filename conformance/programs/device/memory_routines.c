// Device memory routines on the host, and what they answer for device numbers that are none. OpenMP 5.1, 3.8
//@ compilers: gcc
#include <stdint.h>
#include <string.h>

#include "check.h"

int main(void) {
    int host = omp_get_initial_device(), none[] = {-7, host + 1, 1000};
    char *memory = omp_target_alloc(100, host);
    CHECK(memory != NULL, "no memory");
    memset(memory, 1, 100);
    CHECK(omp_target_is_present(memory, host), "host memory is always present");
    int local;
    CHECK(omp_target_is_present(&local, host), "host memory is always present");
    for (int i = 0; i < 3; i++) {
        CHECK(omp_target_alloc(100, none[i]) == NULL, "memory on device %d", none[i]);
        CHECK(!omp_target_is_present(&local, none[i]), "present on device %d", none[i]);
        omp_target_free(NULL, none[i]);
    }
    omp_target_free(NULL, host);

    char from[64], to[64] = {0};
    for (int i = 0; i < 64; i++) from[i] = i;
    CHECK_EQ(omp_target_memcpy(to, from, 16, 8, 24, host, host), 0);
    for (int i = 0; i < 64; i++) CHECK_EQ(to[i], i >= 8 && i < 24 ? i + 16 : 0);
    for (int i = 0; i < 3; i++) {
        CHECK(omp_target_memcpy(to, from, 16, 0, 0, none[i], host) != 0, "copied to device %d", none[i]);
        CHECK(omp_target_memcpy(to, from, 16, 0, 0, host, none[i]) != 0, "copied from device %d", none[i]);
    }
    CHECK_EQ(to[0], 0);
    CHECK_EQ(omp_target_memcpy(to, from, 0, 0, 0, host, host), 0);

    CHECK(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3, "at least three dimensions");
    int a[5][6][7], b[3][4][8];
    memset(b, 0, sizeof b);
    for (int i = 0; i < 5 * 6 * 7; i++) a[0][0][i] = i;
    size_t volume[] = {2, 3, 4}, b_offset[] = {1, 0, 3}, a_offset[] = {2, 3, 1}, b_shape[] = {3, 4, 8}, a_shape[] = {5, 6, 7};
    CHECK_EQ(omp_target_memcpy_rect(b, a, sizeof(int), 3, volume, b_offset, a_offset, b_shape, a_shape, host, host), 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 8; k++) {
                int inside = i >= 1 && i < 3 && j < 3 && k >= 3 && k < 7;
                CHECK_EQ(b[i][j][k], inside ? a[i + 1][j + 3][k - 2] : 0);
            }
    CHECK(omp_target_memcpy_rect(b, a, sizeof(int), 3, volume, b_offset, a_offset, b_shape, a_shape, host, host + 1) != 0, "no device");
    size_t huge[] = {SIZE_MAX / 2, SIZE_MAX / 2, SIZE_MAX / 2};
    CHECK(omp_target_memcpy_rect(b, a, sizeof(int), 3, volume, huge, a_offset, b_shape, a_shape, host, host) != 0, "beyond memory");

    CHECK(omp_target_associate_ptr(from, to, 64, 0, host) != 0, "associated with the host");
    CHECK(omp_target_associate_ptr(from, to, 64, 0, host + 1) != 0, "associated without a device");
    CHECK(omp_target_disassociate_ptr(from, host) != 0, "nothing was associated");

#pragma omp parallel
    {
        int *mine = omp_target_alloc(sizeof(int) * 10, omp_get_default_device());
        for (int i = 0; i < 10; i++) mine[i] = omp_get_thread_num();
        int sum = 0;
#pragma omp target is_device_ptr(mine) map(tofrom : sum)
        for (int i = 0; i < 10; i++) sum += mine[i];
        CHECK_EQ(sum, 10 * omp_get_thread_num());
        omp_target_free(mine, omp_get_default_device());
    }
    omp_target_free(memory, host);
    return verdict();
}
