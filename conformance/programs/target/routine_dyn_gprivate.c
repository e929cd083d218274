// What the routines about memory of contention groups say in kernels: each team has its own, of the size asked for, and all its threads the
// same. OpenMP 6.1 as clang 23 has it; older ones ask for the memory by ompx_dyn_cgroup_mem
//@ compilers: offload
//@ needs: offload 16
//@ libs: dl
//@ devices: 1 3
//@ stock-fails: offload because it lacks the routines
#define _GNU_SOURCE
#include "device.h"
#include <dlfcn.h>
#include <stdint.h>

enum { TEAMS = 4, WORDS = 100, CGROUP_SPACE = 5 };

static int strange(int device) {
    int wrong = 0;
#pragma omp target teams num_teams(TEAMS) device(device) map(tofrom : wrong) ompx_dyn_cgroup_mem(WORDS * sizeof(int)) reduction(+ : wrong)
    {
        void *(*pointer)(size_t, int) = (void *(*)(size_t, int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_ptr");
        void *(*no_fallback)(size_t, int) = (void *(*)(size_t, int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_nofb_ptr");
        size_t (*size)(int) = (size_t (*)(int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_size");
        uintptr_t (*space)(int) = (uintptr_t (*)(int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_memspace");
        int *memory = pointer(0, 0), team = omp_get_team_num();
        wrong += size(0) != WORDS * sizeof(int);
        wrong += space(0) != CGROUP_SPACE;
        wrong += pointer(0, 1) != NULL || size(1) != 0 || space(1) != 0;
        for (int i = 0; i < WORDS; i++) memory[i] = team;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
        {
            int *fourth = pointer(4 * sizeof(int), 0);
            wrong += fourth != memory + 4 || no_fallback(0, 0) != memory;
            for (int i = 0; i < WORDS; i++) wrong += memory[i] != team;
        }
    }
    return wrong;
}

int main(void) {
    for (int d = 0; d < omp_get_num_devices(); d++) CHECK_EQ(strange(d), 0);
    return verdict();
}
