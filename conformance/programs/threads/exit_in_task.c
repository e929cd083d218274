// exit() from a task while others are queued leaves no hang.
// OpenMP 5.1, 2.12
//@ exit: 9
#include "check.h"

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 500; i++) {
#pragma omp task firstprivate(i)
        {
            if (i == 300) {
#pragma omp critical
                {
                    printf("ok\n");
                    exit(9);
                }
            }
            spin_work(100);
        }
    }
    return 1;
}
