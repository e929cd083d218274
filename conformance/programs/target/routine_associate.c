// omp_target_associate_ptr and omp_target_disassociate_ptr: device memory of the program's own stands for host memory.
// OpenMP 5.1, 3.8.9-10
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

int main(void) {
    int host = omp_get_initial_device();
    int h[50];
    for (int d = 0; d < omp_get_num_devices(); d++) {
        int *p = omp_target_alloc(60 * sizeof *p, d), back[60];
        for (int i = 0; i < 50; i++) h[i] = i;
        FILL(back, 60, 0);
        CHECK_EQ(omp_target_memcpy(p, back, sizeof back, 0, 0, d, host), 0);
        CHECK_EQ(omp_target_associate_ptr(h, p, sizeof h, 10 * sizeof *p, d), 0);
        CHECK(omp_target_is_present(h, d), "associated");
        // It is there for ever: no map copies it unless it is always.
#pragma omp target map(tofrom : h) device(d)
        h[3] += 5;
        CHECK_EQ(h[3], 3);
#pragma omp target update to(h[20 : 5]) device(d)
#pragma omp target map(always, from : h) device(d)
        h[3] += 1;
        CHECK_EQ(h[3], 6);
        CHECK_EQ(h[20], 20);
        CHECK_EQ(h[30], 0);
        CHECK_EQ(omp_target_memcpy(back, p, sizeof back, 0, 0, host, d), 0);
        CHECK_EQ(back[13], 6);
        // The same again is well, another address is not.
        CHECK_EQ(omp_target_associate_ptr(h, p, sizeof h, 10 * sizeof *p, d), 0);
        CHECK(omp_target_associate_ptr(h, p, sizeof h, 5 * sizeof *p, d) != 0, "associated twice");
        CHECK_EQ(omp_target_disassociate_ptr(h, d), 0);
        CHECK(!omp_target_is_present(h, d), "disassociated");
        CHECK(omp_target_disassociate_ptr(h, d) != 0, "disassociated twice");
        omp_target_free(p, d);
    }
    return verdict();
}
