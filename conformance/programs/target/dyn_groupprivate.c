// The dyn_groupprivate clause: each contention group of a kernel has memory of the size asked for, which its threads share and others do not,
// with each fallback. OpenMP 6.1 as clang 23 has it
//@ compilers: offload
//@ needs: offload 23
//@ devices: 1 3
//@ flags: -fopenmp-version=61
//@ stock-fails: offload because its host device gives no such memory
#include "device.h"

enum { TEAMS = 4, WORDS = 100 };

static int strange(int device, int words) {
    int wrong = 0;
#pragma omp target teams num_teams(TEAMS) device(device) map(tofrom : wrong) reduction(+ : wrong) \
    dyn_groupprivate(cgroup, fallback(default_mem) : words * sizeof(int))
    {
        int *memory = omp_get_dyn_gprivate_ptr(0, omp_access_cgroup), team = omp_get_team_num();
        wrong += omp_get_dyn_gprivate_size(omp_access_cgroup) != words * sizeof(int);
        wrong += omp_get_dyn_gprivate_memspace(omp_access_cgroup) != omp_cgroup_mem_space;
        for (int i = 0; i < words; i++) memory[i] = team;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
        {
            wrong += omp_get_dyn_gprivate_nofb_ptr(4, omp_access_cgroup) != (void *)(memory + 1);
            for (int i = 0; i < words; i++) wrong += memory[i] != team;
        }
    }
    return wrong;
}

int main(void) {
    for (int d = 0; d < omp_get_num_devices(); d++) {
        CHECK_EQ(strange(d, WORDS), 0);
        CHECK_EQ(strange(d, 10 * WORDS), 0);
        size_t size = 0, bytes = 48;
        int there = 0;
#pragma omp target device(d) dyn_groupprivate(fallback(null) : bytes) map(from : size, there)
        size = omp_get_dyn_gprivate_size(omp_access_cgroup), there = omp_get_dyn_gprivate_ptr(0, omp_access_cgroup) != NULL;
        CHECK(size == bytes && there, "%zu bytes with fallback(null)", size);
#pragma omp target device(d) dyn_groupprivate(fallback(abort) : bytes) map(from : size, there)
        size = omp_get_dyn_gprivate_size(omp_access_cgroup), there = omp_get_dyn_gprivate_ptr(0, omp_access_cgroup) != NULL;
        CHECK(size == bytes && there, "%zu bytes with fallback(abort)", size);
#pragma omp target device(d) map(from : size)
        size = omp_get_dyn_gprivate_size(omp_access_cgroup);
        CHECK_EQ(size, 0);
    }
    CHECK_EQ(omp_get_dyn_gprivate_size(omp_access_cgroup), 0);
    return verdict();
}
