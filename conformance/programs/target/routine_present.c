// omp_target_is_present and omp_get_mapped_ptr, before, during and after a mapping; parts and neighbours. OpenMP 5.1, 3.8.3, 3.8.11
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ needs: gcc 13
#include "device.h"

int main(void) {
    int devices = omp_get_num_devices(), host = omp_get_initial_device();
    int *p = malloc(100 * sizeof *p);
    for (int d = 0; d < devices; d++) {
        CHECK(!omp_target_is_present(p, d), "before");
        CHECK(omp_get_mapped_ptr(p, d) == NULL, "before");
#pragma omp target enter data map(to : p[10 : 50]) device(d)
        CHECK(omp_target_is_present(p + 10, d) && omp_target_is_present(p + 59, d), "inside");
        CHECK(!omp_target_is_present(p + 9, d) && !omp_target_is_present(p + 60, d), "beside");
        int *mapped = omp_get_mapped_ptr(p + 10, d), *inside = omp_get_mapped_ptr(p + 20, d);
        CHECK(mapped != NULL && mapped != p + 10, "a host address");
        CHECK_EQ(inside - mapped, 10);
        for (int e = 0; e < devices; e++)
            if (e != d) CHECK(!omp_target_is_present(p + 10, e), "on another device");
#pragma omp target is_device_ptr(mapped) device(d)
        mapped[1] = 77 + d;
#pragma omp target exit data map(from : p[10 : 50]) device(d)
        CHECK_EQ(p[11], 77 + d);
        CHECK(!omp_target_is_present(p + 10, d), "after");
    }
    CHECK(omp_target_is_present(p, host), "on the host");
    CHECK(omp_get_mapped_ptr(p, host) == p, "on the host");
    CHECK(omp_get_mapped_ptr(p, host + 5) == NULL, "a device that is none");
    CHECK(!omp_target_is_present(NULL, 0) || !devices, "NULL");
    free(p);
    return verdict();
}
