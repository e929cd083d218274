// taskloop splits as asked: grainsize bounds the iterations a task, num_tasks the number of tasks, each with its own
// firstprivate copy and consecutive iterations. OpenMP 5.1, 2.12.2
#include "check.h"

enum { N = 100 };

int main(void) {
    static int task_of[N];
    for (int grain = 1; grain <= 40; grain += 3) {
        int tasks = 0;
#pragma omp parallel
#pragma omp single
        {
            int mine = -1;
#pragma omp taskloop grainsize(grain) firstprivate(mine) shared(tasks)
            for (int i = 0; i < N; i++) {
                if (mine < 0) {
#pragma omp atomic capture
                    mine = tasks++;
                }
                task_of[i] = mine;
            }
        }
        int run = 0, runs = 0;
        for (int i = 0; i < N; i++) {
            run++;
            if (i + 1 == N || task_of[i] != task_of[i + 1]) {
                // The last task may be smaller.
                CHECK((run >= grain || i + 1 == N) && run < 2 * grain, "grain %d: a task of %d", grain, run);
                run = 0;
                runs++;
            }
        }
        CHECK_EQ(runs, tasks);
    }
    for (int wanted = 1; wanted <= 120; wanted += 7) {
        int tasks = 0;
#pragma omp parallel
#pragma omp single
        {
            int mine = -1;
#pragma omp taskloop num_tasks(wanted) firstprivate(mine) shared(tasks)
            for (int i = 0; i < N; i++) {
                if (mine < 0) {
#pragma omp atomic capture
                    mine = tasks++;
                }
                task_of[i] = mine;
            }
        }
        CHECK_EQ(tasks, wanted < N ? wanted : N);
    }
    return verdict();
}
