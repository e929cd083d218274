// ordered with every schedule and chunk size, upwards and downwards, in int, long and their unsigned kin, with regions in all, some, few or
// no iterations; nonmonotonic kinds of run-sched-var become monotonic. OpenMP 5.1, 2.19.9, 2.11.4
#include "check.h"

enum { N = 67 };

#define LOOP(clause, type, init, test, step, when)                                                \
    do {                                                                                          \
        int next = 0, due = 0, total = 0;                                                         \
        int wanted[N];                                                                            \
        int k = 0;                                                                                \
        for (type i = init; i test; i step, k++)                                                  \
            if (when) wanted[due++] = k;                                                          \
        OMP(parallel for ordered clause reduction(+ : total))                                     \
        for (type i = init; i test; i step) {                                                     \
            total++;                                                                              \
            if (when) {                                                                           \
                _Pragma("omp ordered")                                                            \
                {                                                                                 \
                    type from = init;                                                             \
                    int here = (int)((i > from ? i - from : from - i) / (type)2);                 \
                    CHECK(next < due && wanted[next] == here, "%s %s: %d as number %d", #clause, #init #test, here, next); \
                    next++;                                                                       \
                }                                                                                 \
            }                                                                                     \
        }                                                                                         \
        CHECK(next == due && total == k, "%s %s: %d of %d regions", #clause, #init #test, next, due); \
    } while (0)

#define ALL(clause)                                                                               \
    do {                                                                                          \
        LOOP(clause, int, -30, < 2 * N - 30, += 2, 1);                                            \
        LOOP(clause, int, 90, > 90 - 2 * N, -= 2, i % 3 == 0);                                    \
        LOOP(clause, unsigned, 4294967000u, < 4294967000u + 2 * N, += 2, i % 8 == 0);             \
        LOOP(clause, long, 1L << 40, > (1L << 40) - 2 * N, -= 2, 1);                              \
        LOOP(clause, unsigned long, 1UL << 63, < (1UL << 63) + 2 * N, += 2, i % 32 == 0);         \
        LOOP(clause, unsigned long, (1UL << 63) + 40, > (1UL << 63) + 40 - 2 * N, -= 2, 1);       \
        LOOP(clause, int, 0, < 2 * N, += 2, i < 0);                                               \
        LOOP(clause, int, 5, < 5, += 2, 1);                                                       \
    } while (0)

int main(void) {
    ALL();
    ALL(schedule(static));
    ALL(schedule(static, 1));
    ALL(schedule(static, 4));
    ALL(schedule(static, 1000));
    ALL(schedule(dynamic));
    ALL(schedule(dynamic, 3));
    ALL(schedule(guided));
    ALL(schedule(guided, 5));
    ALL(schedule(auto));
    ALL(schedule(monotonic : dynamic, 2));
    for (int kind = omp_sched_static; kind <= omp_sched_auto; kind++) {
        for (int chunk = 0; chunk <= 6; chunk += 3) {
            omp_set_schedule((omp_sched_t)kind, chunk);
            ALL(schedule(runtime));
        }
    }
    return verdict();
}
