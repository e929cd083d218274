// Tasks that wait with different priorities run in the order of their priorities, where one thread executes them all.
// OpenMP 5.1, 2.12.1 (priority clause); the order is a recommendation that this runtime follows
//@ threads: 2
//@ env: OMP_MAX_TASK_PRIORITY=50
//@ env: OMP_NUM_THREADS=2
#include "check.h"
#include <unistd.h>

int main(void) {
    int ran[60], count = 0, over = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        for (int i = 0; i < 60; i++) {
#pragma omp task priority(1 + i * 7 % 60) shared(ran, count) firstprivate(i)
            ran[count++] = 1 + i * 7 % 60;
        }
#pragma omp taskwait
        CHECK_EQ(count, 60);
        for (int i = 1; i < 60; i++) {
            // Those above the maximum are equal.
            int a = ran[i - 1] > 50 ? 50 : ran[i - 1], b = ran[i] > 50 ? 50 : ran[i];
            CHECK(a >= b, "%d before %d", a, b);
        }
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
