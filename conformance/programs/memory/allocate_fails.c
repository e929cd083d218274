// For the memory of an allocate clause null_fb counts as abort_fb: the program has no way to look. OpenMP 5.1, 2.13.4
//@ threads: 1 3
//@ expect-stderr: allocate 4000 bytes aborting
//@ needs: gcc 11
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(small != omp_null_allocator, "an allocator");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int x[1000] = {0};
#pragma omp parallel num_threads(1) firstprivate(x) allocate(small : x)
        { if (x != 0) x[0] = 1; }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) != 0, "status %d", status);
    return verdict();
}
