// scope with a private variable from an allocator, and with a reduction. OpenMP 5.2, 11.2; 5.1, 2.13.4
//@ compilers: clang
//@ needs: clang 21
//@ flags: -fopenmp-version=60
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), total = 0, aligned = 0;
#pragma omp parallel
    {
        int mine = 0;
#pragma omp scope private(mine) allocate(allocator(omp_default_mem_alloc), align(64) : mine) reduction(+ : total, aligned)
        {
            mine = omp_get_thread_num() + 1;
            total += mine;
            aligned += (unsigned long)&mine % 64 == 0;
        }
        CHECK_EQ(mine, 0);
    }
    CHECK_EQ(total, threads * (threads + 1) / 2);
    CHECK_EQ(aligned, threads);
    return verdict();
}
