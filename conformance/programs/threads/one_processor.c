// A process confined to one processor still runs teams of any size, and its threads inherit the mask.
// OpenMP 5.1, 2.6.2; 2.4.1 (the number of processors)
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv) {
    (void)argc;
    if (!getenv("CORPUS_CONFINED")) {
        cpu_set_t mask, one;
        CPU_ZERO(&mask);
        CPU_ZERO(&one);
        sched_getaffinity(0, sizeof mask, &mask);
        for (int i = 0; i < CPU_SETSIZE; i++) {
            if (CPU_ISSET(i, &mask)) {
                CPU_SET(i, &one);
                break;
            }
        }
        sched_setaffinity(0, sizeof one, &one);
        setenv("CORPUS_CONFINED", "1", 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    int want = omp_get_max_threads();
    CHECK_EQ(omp_get_num_procs(), 1);
    for (int round = 0; round < 20; round++) {
        int n = 0;
#pragma omp parallel
        {
            cpu_set_t own;
            CPU_ZERO(&own);
            sched_getaffinity(0, sizeof own, &own);
            CHECK_EQ(CPU_COUNT(&own), 1);
#pragma omp for reduction(+ : n) schedule(dynamic)
            for (int i = 0; i < 30; i++) n++;
#pragma omp barrier
            CHECK_EQ(n, 30);
        }
        CHECK_EQ(omp_get_max_threads(), want);
    }
    return verdict();
}
