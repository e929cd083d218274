// A fatal error directive that a thread of a team encounters while the others work. OpenMP 5.1, 2.5.4
//@ expect-stderr: error last thread; program ends
//@ exit: 1
//@ stock-fails: clang because its libomp aborts
//@ stderr-may-hold-more:
//@ needs: clang 16, gcc 12
#include "check.h"

int main(void) {
    printf("ok\n"); // written at the end
#pragma omp parallel
    {
#pragma omp barrier
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp error at(execution) message("last thread")
        }
#pragma omp barrier
    }
    return 3;
}
