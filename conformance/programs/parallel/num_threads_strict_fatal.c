// The strict modifier of num_threads without a severity, or with severity(fatal): a region that cannot have its threads ends the
// program. OpenMP 6.0, 12.1.2
//@ compilers: clang
//@ threads: 1 2
//@ env: OMP_THREAD_LIMIT=2
//@ checker: no because only the child uses OpenMP, and it ends in the middle
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

void __kmpc_push_num_threads_strict(void *, int, int, int, const char *);
int __kmpc_global_thread_num(void *);

int main(void) {
    pid_t child = fork();
    if (child == 0) {
        close(2);
        int size = 0;
        __kmpc_push_num_threads_strict(0, __kmpc_global_thread_num(0), 8, 2, "eight are needed");
#pragma omp parallel reduction(+ : size)
        size++;
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child, "no child");
    // The parent has its threads.
    int size = 0;
#pragma omp parallel num_threads(2) reduction(+ : size)
    size++;
    CHECK_EQ(size, 2);
    CHECK(!(WIFEXITED(status) && WEXITSTATUS(status) == 0), "the child came to its end");
    return verdict();
}
