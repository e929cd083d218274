// The fallback abort_fb ends the program where memory cannot be had, and only there. OpenMP 5.1, 2.13.2
//@ threads: 1 3
//@ expect-stderr: omp_alloc 5000 bytes aborting
//@ needs: gcc 11
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_abort_fb}};
    omp_allocator_handle_t strict = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(strict != omp_null_allocator, "an allocator");
    char *p = omp_alloc(2000, strict);
    CHECK(p, "what fits");
    omp_free(p, strict);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        omp_alloc(5000, strict);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status != 0, "the program goes on without its memory");
    return verdict();
}
