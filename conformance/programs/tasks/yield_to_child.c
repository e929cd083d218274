// A thread that comes to a taskyield construct executes a task that nobody else does: the current task is suspended for it.
// OpenMP 5.1, 2.12.4; that the thread does so is this runtime's choice
//@ threads: 2
//@ stock-fails: gcc because taskyield does nothing there
#include "check.h"
#include <unistd.h>

int main(void) {
    int over = 0, ran = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task shared(ran)
        ran = 1;
#pragma omp taskyield
        CHECK_EQ(ran, 1);
#pragma omp atomic write
        over = 1;
    } else {
        // Executes none of them.
        for (int seen = 0; !seen;) {
            usleep(100);
#pragma omp atomic read
            seen = over;
        }
    }
    return verdict();
}
