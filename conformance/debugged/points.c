// A known number of regions, tasks and threads.
#include "said.h"

enum { THREADS = 4, REGIONS = 3, TASKS = 5 };

static int ran;

int main(void) {
    for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(THREADS)
#pragma omp single
        for (int task = 0; task < TASKS; task++) {
#pragma omp task if (task % 2)
#pragma omp atomic
            ran++;
        }
    }
#pragma omp parallel if (0)
    ran++;
    here();
    return ran == REGIONS * TASKS + 1 ? 0 : 1;
}
