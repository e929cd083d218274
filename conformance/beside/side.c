// A library with OpenMP, of which several copies, each bound to a runtime of its own, are in one process.
#include <omp.h>

// Runs a region with loops and tasks, whose threads call `inside` if there is one. Whether everything came out right.
int side_run(int threads, int (*inside)(int)) {
    int size = 0, right = 0, loops = 0, tasks = 0;
#pragma omp parallel num_threads(threads) reduction(+ : size, right)
    {
        size++;
        right += inside ? inside(2) : 1;
#pragma omp for schedule(dynamic) reduction(+ : loops)
        for (int i = 0; i < 40; i++) loops++;
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task
            {
#pragma omp atomic
                tasks++;
            }
        }
#pragma omp critical(side)
        loops += 0;
    }
    return size == threads && right == threads && loops == 40 && tasks == 20;
}

int side_alone(int threads) { return side_run(threads, 0); }
