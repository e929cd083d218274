// Taskloops with very many tasks: each iteration is executed once, by as many tasks as the clauses say; several threads may generate them.
// OpenMP 5.1, 2.12.2 (taskloop)
#include "check.h"

enum { N = 20000 };
static unsigned char seen[N];
static int starts;

#define LOOP(tasks, ...)                                           \
    {                                                              \
        starts = 0;                                                \
        int mine = 0;                                              \
        OMP(taskloop firstprivate(mine) __VA_ARGS__)               \
        for (int i = 0; i < N; i++) {                              \
            if (mine++ == 0) {                                     \
                OMP(atomic)                                        \
                starts++;                                          \
            }                                                      \
            seen[i]++;                                             \
        }                                                          \
        CHECK_EQ(starts, tasks);                                   \
        for (int i = 0; i < N; i++) {                              \
            CHECK(seen[i] == 1, "iteration %d: %d times", i, seen[i]); \
            seen[i] = 0;                                           \
        }                                                          \
    }

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        LOOP(5000, num_tasks(5000))
        LOOP(N, grainsize(1))
        LOOP(2000, grainsize(10))
        LOOP(777, num_tasks(777))
        LOOP(65, num_tasks(65))
        LOOP(300, num_tasks(300) untied)
        LOOP(300, num_tasks(300) if (0))
        LOOP(300, num_tasks(300) final(1))
    }
    return verdict();
}
