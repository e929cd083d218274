// Taskloops inside the tasks of taskloops, from every thread at once, with and without a taskgroup. OpenMP 5.1, 2.12.2 (taskloop)
#include "check.h"

int main(void) {
    enum { A = 12, B = 100 };
    int threads = 0;
    static int cells[A][B];
    int done = 0;
#pragma omp parallel reduction(+ : threads)
    {
        threads++;
#pragma omp taskloop num_tasks(A)
        for (int i = 0; i < A; i++) {
#pragma omp taskloop num_tasks(B)
            for (int j = 0; j < B; j++) {
#pragma omp atomic
                cells[i][j]++;
            }
#pragma omp atomic
            done++;
        }
    }
    CHECK_EQ(done, A * threads);
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++) CHECK_EQ(cells[i][j], threads);

    int count = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup num_tasks(200)
        for (int i = 0; i < 1000; i++) {
#pragma omp atomic
            count++;
        }
#pragma omp taskwait
        // The tasks are children of this one.
        CHECK_EQ(count, 1000);
#pragma omp taskgroup
        {
#pragma omp taskloop nogroup grainsize(1)
            for (int i = 0; i < 30; i++) {
#pragma omp task
                {
#pragma omp atomic
                    count++;
                }
            }
        }
        CHECK_EQ(count, 1030);
    }
    return verdict();
}
