// omp_target_alloc and omp_target_free, many blocks of all sizes, on every device and on the host. OpenMP 5.1, 3.8.1-2
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include <stdint.h>

#include "device.h"

int main(void) {
    int host = omp_get_initial_device();
    for (int d = 0; d <= host; d++) {
        char *blocks[60];
        for (int i = 0; i < 60; i++) {
            size_t bytes = (size_t)1 << i % 16;
            blocks[i] = omp_target_alloc(bytes, d);
            CHECK(blocks[i] != NULL, "device %d, %zu bytes", d, bytes);
            CHECK((uintptr_t)blocks[i] % 16 == 0, "%p", (void *)blocks[i]);
        }
        for (int i = 0; i < 60; i++) {
            char *block = blocks[i];
#pragma omp target is_device_ptr(block) device(d) firstprivate(i)
            for (size_t k = 0; k < (size_t)1 << i % 16; k++) block[k] = (char)i;
        }
        int wrong = 0;
        for (int i = 0; i < 60; i++) {
            char *block = blocks[i];
#pragma omp target is_device_ptr(block) device(d) firstprivate(i) map(tofrom : wrong)
            for (size_t k = 0; k < (size_t)1 << i % 16; k++) wrong += block[k] != (char)i;
        }
        CHECK_EQ(wrong, 0);
        for (int i = 0; i < 60; i++) omp_target_free(blocks[i * 7 % 60], d);
        omp_target_free(NULL, d);
    }
    return verdict();
}
