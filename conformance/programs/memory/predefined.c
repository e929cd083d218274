// Every predefined allocator gives memory on a host, also those whose special memory the machine has not.
// OpenMP 5.1, 2.13.2, Table 2.10
//@ needs: gcc 11
#include "check.h"
#include <string.h>

int main(void) {
    static const omp_allocator_handle_t all[] = {
        omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc,  omp_high_bw_mem_alloc,
        omp_low_lat_mem_alloc, omp_cgroup_mem_alloc,    omp_pteam_mem_alloc, omp_thread_mem_alloc,
    };
    enum { N = sizeof all / sizeof all[0] };
#pragma omp parallel
    {
        char *p[N];
        for (int i = 0; i < N; i++) {
            p[i] = omp_alloc(1000 + i, all[i]);
            CHECK(p[i], "allocator %d", (int)all[i]);
            memset(p[i], i, 1000 + i);
        }
        for (int i = 0; i < N; i++) {
            CHECK(p[i][0] == i && p[i][999 + i] == i, "contents of %d", i);
            omp_free(p[i], all[i]);
        }
    }
    return verdict();
}
