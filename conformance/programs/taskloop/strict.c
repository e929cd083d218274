// The strict modifier: every task but the last has exactly as many iterations as grainsize says; num_tasks says how many tasks there are.
// Without it a task has at least so many, and fewer than twice. OpenMP 5.1, 2.12.2 (taskloop). clang 19 passes the modifier
// on to no runtime; abi/kmpc_taskloop.c does.
//@ compilers: gcc
//@ needs: gcc 12
#include "check.h"

enum { N = 1003 };
static int first_of_task[N + 1];

static void forget(void) {
    for (int i = 0; i < N; i++) first_of_task[i] = 0;
    first_of_task[N] = 1;
}

static int tasks_with_sizes(int at_least, int at_most, int last_at_least) {
    int tasks = 0, begin = 0;
    for (int i = 1; i <= N; i++) {
        if (!first_of_task[i]) continue;
        int size = i - begin;
        CHECK(size <= at_most && size >= (i == N ? last_at_least : at_least), "a task from %d of %d iterations", begin, size);
        begin = i;
        tasks++;
    }
    return tasks;
}

#define LOOP(...)                                    \
    forget();                                        \
    {                                                \
        int mine = 0;                                \
        OMP(taskloop firstprivate(mine) __VA_ARGS__) \
        for (int i = 0; i < N; i++)                  \
            if (mine++ == 0) first_of_task[i] = 1;   \
    }

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        LOOP(grainsize(strict : 10))
        CHECK_EQ(tasks_with_sizes(10, 10, 3), 101);
        LOOP(grainsize(strict : 4000))
        CHECK_EQ(tasks_with_sizes(N, N, N), 1);
        LOOP(grainsize(strict : 1))
        CHECK_EQ(tasks_with_sizes(1, 1, 1), N);
        LOOP(num_tasks(strict : 17))
        CHECK_EQ(tasks_with_sizes(59, 59, 59), 17);
        LOOP(num_tasks(strict : 2000))
        CHECK_EQ(tasks_with_sizes(1, 1, 1), N);
        LOOP(grainsize(10))
        tasks_with_sizes(10, 19, 10);
        LOOP(num_tasks(4))
        CHECK_EQ(tasks_with_sizes(250, 251, 250), 4);
    }
    return verdict();
}
