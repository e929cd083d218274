// An explicit task sets def-allocator-var of the implicit task that is bound to the executing thread. OpenMP 5.1, 3.13.4
//@ needs: gcc 11
#include "check.h"

int main(void) {
#pragma omp parallel
    {
#pragma omp task if (0)
        {
            omp_set_default_allocator(omp_thread_mem_alloc);
            CHECK_EQ(omp_get_default_allocator(), omp_thread_mem_alloc);
        }
        CHECK_EQ(omp_get_default_allocator(), omp_thread_mem_alloc);
#pragma omp barrier
        omp_set_default_allocator(omp_pteam_mem_alloc);
#pragma omp task if (0)
        {
            CHECK_EQ(omp_get_default_allocator(), omp_pteam_mem_alloc);
#pragma omp parallel num_threads(1)
            CHECK_EQ(omp_get_default_allocator(), omp_pteam_mem_alloc);
        }
    }
    return verdict();
}
