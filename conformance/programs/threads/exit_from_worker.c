// exit() called by a worker inside a region, while the others still work, ends the process with its code and no hang.
// OpenMP 5.1, 2.6 (a thread in a region may end the program)
//@ exit: 5
#include "check.h"

int main(void) {
    volatile int forever = 1;
#pragma omp parallel
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            printf("ok\n");
            exit(5);
        }
        while (forever) spin_work(1000);
    }
    return 1;
}
