// def-allocator-var belongs to each implicit task, is handed down to the regions that the task encounters, and says where a null
// allocator's memory comes from. OpenMP 5.1, 2.4, 3.13.4, 3.13.5
//@ env: OMP_MAX_ACTIVE_LEVELS=2
//@ needs: gcc 11
#include "check.h"
#include <stdint.h>

int main(void) {
    CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
    omp_set_default_allocator(omp_large_cap_mem_alloc);
    CHECK_EQ(omp_get_default_allocator(), omp_large_cap_mem_alloc);
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 1024}};
    omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);

    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            CHECK_EQ(omp_get_default_allocator(), omp_large_cap_mem_alloc);
#pragma omp barrier
            int odd = omp_get_thread_num() % 2;
            omp_set_default_allocator(odd ? aligned : omp_const_mem_alloc);
#pragma omp barrier
            CHECK(omp_get_default_allocator() == (odd ? aligned : omp_const_mem_alloc), "a thread's own value");
            void *p = omp_alloc(10, omp_null_allocator);
            CHECK(p && (!odd || (uintptr_t)p % 1024 == 0), "%p from the default allocator", p);
            omp_free(p, omp_null_allocator);
#pragma omp parallel num_threads(2)
            {
                CHECK(omp_get_default_allocator() == (odd ? aligned : omp_const_mem_alloc), "an inherited value");
                omp_set_default_allocator(omp_low_lat_mem_alloc);
            }
            CHECK(omp_get_default_allocator() == (odd ? aligned : omp_const_mem_alloc), "an inner region's value stays there");
            omp_set_default_allocator(omp_null_allocator);
            CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
        }
        CHECK_EQ(omp_get_default_allocator(), omp_large_cap_mem_alloc);
    }
    omp_destroy_allocator(aligned);
    return verdict();
}
