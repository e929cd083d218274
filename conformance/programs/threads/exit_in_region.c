// exit() by the primary thread inside a region, with workers in a barrier or at work: the handlers run, the code is right.
// OpenMP 5.1, 2.6
//@ exit: 7
#include "check.h"

static void bye(void) { printf("ok\n"); }

int main(void) {
    atexit(bye);
#pragma omp parallel
    {
        if (omp_get_thread_num() % 2) spin_work(3000);
#pragma omp master
        exit(7);
#pragma omp barrier
    }
    return 1;
}
