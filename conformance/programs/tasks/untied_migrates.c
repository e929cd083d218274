// Parts of untied tasks, between scheduling points, may run on different threads: what a task has in its variables goes with it, and each
// part runs on one thread of the team. OpenMP 5.1, 2.12.1 (untied clause), 2.12.6 (task scheduling)
#include "check.h"

enum { TASKS = 40, PARTS = 12 };

int main(void) {
    int parts = 0, wrong = 0, moves = 0;
#pragma omp parallel
#pragma omp single nowait
    for (int t = 0; t < TASKS; t++) {
#pragma omp task untied firstprivate(t) shared(parts, wrong, moves)
        {
            int sum = 0, before = -1;
            for (int p = 0; p < PARTS; p++) {
                int here = omp_get_thread_num();
                if (here < 0 || here >= omp_get_num_threads() || omp_get_level() != 1) {
#pragma omp atomic
                    wrong++;
                }
                if (before >= 0 && before != here) {
#pragma omp atomic
                    moves++;
                }
                before = here;
                sum += t + p;
#pragma omp atomic
                parts++;
                spin_work(200);
#pragma omp taskyield
            }
            if (sum != PARTS * t + PARTS * (PARTS - 1) / 2) {
#pragma omp atomic
                wrong++;
            }
        }
    }
    CHECK_EQ(parts, TASKS * PARTS);
    CHECK_EQ(wrong, 0);
    CHECK(moves <= TASKS * (PARTS - 1), "%d moves", moves);
    return verdict();
}
