// The memory that ompx_dyn_cgroup_mem gives each team of a kernel for itself: large enough, every team's its own, and the same for all
// threads of a team, in kernels that are under way at once too. LLVM's extension.
//@ compilers: offload
//@ devices: 1 3
//@ stock-fails: offload because its host device gives no such memory
#include "device.h"

enum { TEAMS = 4, WORDS = 100 };

extern void *llvm_omp_target_dynamic_shared_alloc(void);
// Its name until LLVM 15.
extern void *llvm_omp_get_dynamic_shared(void) __attribute__((weak));

// Fills the memory of each team, and counts what another team has written there.
static int strange(int device) {
    int wrong = 0;
#pragma omp target teams num_teams(TEAMS) device(device) map(tofrom : wrong) ompx_dyn_cgroup_mem(WORDS * sizeof(int)) reduction(+ : wrong)
    {
        int *memory = llvm_omp_target_dynamic_shared_alloc();
        int team = omp_get_team_num();
        if (memory == NULL) {
            wrong += 1000;
        } else {
            for (int i = 0; i < WORDS; i++) memory[i] = team;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
            {
                int *same = llvm_omp_target_dynamic_shared_alloc();
                wrong += same != memory;
                for (int i = 0; i < WORDS; i++) wrong += same[i] != team;
            }
        }
    }
    return wrong;
}

int main(void) {
    CHECK(llvm_omp_target_dynamic_shared_alloc() == NULL, "the host has no such memory");
    CHECK(llvm_omp_get_dynamic_shared == NULL || llvm_omp_get_dynamic_shared() == NULL, "the host has no such memory");
    for (int d = 0; d < omp_get_num_devices(); d++) {
        CHECK_EQ(strange(d), 0);
        int none = 0;
#pragma omp target device(d) map(from : none)
        none = llvm_omp_target_dynamic_shared_alloc() == NULL;
        CHECK_EQ(none, 1);
    }
    int together = 0;
#pragma omp parallel reduction(+ : together)
    together += strange(omp_get_thread_num() % omp_get_num_devices());
    CHECK_EQ(together, 0);
    int first = 0, second = 0;
#pragma omp target nowait map(from : first) ompx_dyn_cgroup_mem(64)
    first = llvm_omp_target_dynamic_shared_alloc() != NULL;
#pragma omp target nowait map(from : second)
    second = llvm_omp_target_dynamic_shared_alloc() != NULL;
#pragma omp taskwait
    CHECK_EQ(first, 1);
    CHECK_EQ(second, 0);
    return verdict();
}
