// OMP_ALLOCATOR names a predefined allocator, in any case and with white space around it. OpenMP 5.1, 6.22
//@ env: OMP_ALLOCATOR= OMP_const_mem_ALLOC
//@ threads: 1 4
//@ stock-fails: clang because it takes small letters only
//@ needs: gcc 11
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_default_allocator(), omp_const_mem_alloc);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_default_allocator(), omp_const_mem_alloc);
        void *p = omp_alloc(100, omp_null_allocator);
        CHECK(p, "memory");
        omp_free(p, omp_null_allocator);
    }
    return verdict();
}
