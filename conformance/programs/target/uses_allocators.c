// uses_allocators and allocate on target, and omp_alloc in target regions. OpenMP 5.1, 2.13, 2.14.5, 3.13
//@ devices: 1 3
//@ needs: clang 17, gcc 16
#include "device.h"

int main(void) {
    int sum = 0, x = 4, heap = 0;
#pragma omp target uses_allocators(omp_default_mem_alloc, omp_low_lat_mem_alloc) map(from : sum, heap) firstprivate(x) \
    allocate(omp_default_mem_alloc : x)
    {
        int *p = omp_alloc(100 * sizeof *p, omp_default_mem_alloc);
        heap = p != NULL;
        sum = 0;
        for (int i = 0; i < 100; i++) p[i] = i;
        for (int i = 0; i < 100; i++) sum += p[i];
        sum += x;
        omp_free(p, omp_default_mem_alloc);
    }
    CHECK_EQ(heap, 1);
    CHECK_EQ(sum, 4954);
    return verdict();
}
