// A process that can open no file: the runtime comes up, and regions, tasks and locks work. OpenMP 5.1, 2.6
//@ checker: no because the checking tool writes a file
#include <sys/resource.h>

#include "check.h"

int main(void) {
    struct rlimit limit = {3, 3};
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    int n = 0, tasks = 0;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel reduction(+ : n)
        {
            n++;
#pragma omp single
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
                {
#pragma omp atomic
                    tasks++;
                }
            }
        }
    }
    CHECK_EQ(n, 3 * omp_get_max_threads());
    CHECK_EQ(tasks, 30);
    CHECK(omp_get_num_procs() >= 1, "%d", omp_get_num_procs());
    return verdict();
}
