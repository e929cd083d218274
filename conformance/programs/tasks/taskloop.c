// taskloop runs each iteration once and waits: default, grainsize, num_tasks, all step signs and types, empty, if and final.
// OpenMP 5.1, 2.12.2 (taskloop construct)
#include "check.h"

static int hits[150];

#define UP(type, first, count, step, ...)                                                      \
    do {                                                                                       \
        for (int k = 0; k < 150; k++) hits[k] = 0;                                             \
        type from = (type)(first), to = (type)((type)(first) + (type)(step) * (type)(count));  \
        OMP(taskloop __VA_ARGS__)                                                              \
        for (type i = from; i < to; i += (step))                                               \
            __atomic_fetch_add(&hits[(long)((i - from) / (step))], 1, __ATOMIC_RELAXED);       \
        for (int k = 0; k < 150; k++) CHECK_EQ(hits[k], k < (count));                          \
    } while (0)

#define DOWN(type, first, count, step, ...)                                                    \
    do {                                                                                       \
        for (int k = 0; k < 150; k++) hits[k] = 0;                                             \
        type from = (type)(first), to = (type)((type)(first) - (type)(step) * (type)(count));  \
        OMP(taskloop __VA_ARGS__)                                                              \
        for (type i = from; i > to; i -= (step))                                               \
            __atomic_fetch_add(&hits[(long)((from - i) / (step))], 1, __ATOMIC_RELAXED);       \
        for (int k = 0; k < 150; k++) CHECK_EQ(hits[k], k < (count));                          \
    } while (0)

// clang 19 turns an empty range with a step other than one into 2^32 iterations before the runtime sees it.
#ifdef __clang__
#define SMALLEST 1
#else
#define SMALLEST 0
#endif

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int n = SMALLEST; n <= 140; n += n < 10 ? 1 : 26) {
        UP(int, -7, 0, 1, );
        UP(long, -7, 0, 1, num_tasks(4));
        UP(int, -7, n, 1, );
        UP(int, 5, n, 3, grainsize(4));
        DOWN(int, 5, n, 2, grainsize(7));
        UP(long, -4000000000, n, 11, num_tasks(5));
        DOWN(long, 4000000000, n, 11, num_tasks(40));
        UP(unsigned, 4294967000u, n, 1, grainsize(6));
        UP(unsigned long, 18446744073709551000ul, n, 2, num_tasks(3));
        UP(int, 0, n, 1, if (0));
        UP(int, 0, n, 1, final(1) num_tasks(4));
        UP(int, 0, n, 1, untied mergeable priority(1));
    }
    return verdict();
}
