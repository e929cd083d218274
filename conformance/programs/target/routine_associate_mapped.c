// What is mapped cannot be associated or disassociated. OpenMP 5.1, 3.8.9-10
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

int main(void) {
    int h[10], g[10];
    FILL(h, 10, 1);
    for (int d = 0; d < omp_get_num_devices(); d++) {
        int *p = omp_target_alloc(sizeof h, d);
#pragma omp target enter data map(to : h) device(d)
        CHECK(omp_target_associate_ptr(h, p, sizeof h, 0, d) != 0, "mapped memory was associated");
        CHECK(omp_target_disassociate_ptr(h, d) != 0, "mapped memory was disassociated");
        CHECK(omp_target_disassociate_ptr(g, d) != 0, "nothing was disassociated");
#pragma omp target exit data map(delete : h) device(d)
        CHECK(!omp_target_is_present(h, d), "deleted");
        omp_target_free(p, d);
    }
    return verdict();
}
