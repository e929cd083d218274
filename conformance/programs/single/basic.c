// Exactly one thread runs each single; the others wait at its end unless nowait.
// OpenMP 5.1, 2.10.2 (single construct)
#include "check.h"

int main(void) {
    int waited = 0, free_running = 0, order = 0;
#pragma omp parallel
    {
        for (int i = 0; i < 40; i++) {
#pragma omp single
            waited++;
            CHECK_EQ(waited, i + 1);
#pragma omp barrier
        }
        for (int i = 0; i < 300; i++) {
#pragma omp single nowait
            {
#pragma omp atomic
                free_running++;
            }
        }
#pragma omp barrier
#pragma omp single
        order = free_running;
    }
    CHECK_EQ(waited, 40);
    CHECK_EQ(free_running, 300);
    CHECK_EQ(order, 300);
    return verdict();
}
