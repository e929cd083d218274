// A chain through all iterations: each waits for the one before, under every schedule, with a source in each. The chained values come
// out as a serial loop has them. OpenMP 5.1, 2.19.9 (ordered construct), 2.19.11 (depend clause: source and sink)
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { N = 160 };

static unsigned long value[N + 1];

#define TRY(clause)                                                                              \
    do {                                                                                         \
        for (int i = 0; i <= N; i++) value[i] = i == 0;                                          \
        OMP(parallel for ordered(1) clause)                                                      \
        for (int i = 1; i <= N; i++) {                                                           \
            _Pragma("omp ordered depend(sink : i - 1)")                                          \
            value[i] = value[i - 1] * 3 + (unsigned long)i;                                      \
            _Pragma("omp ordered depend(source)")                                                \
        }                                                                                        \
        unsigned long want = 1;                                                                  \
        for (int i = 1; i <= N; i++) {                                                           \
            want = want * 3 + (unsigned long)i;                                                  \
            CHECK(value[i] == want, "%s: %d", #clause, i);                                       \
        }                                                                                        \
    } while (0)

int main(void) {
    TRY();
    TRY(schedule(static));
    TRY(schedule(static, 1));
    TRY(schedule(static, 7));
    TRY(schedule(dynamic));
    TRY(schedule(dynamic, 5));
    TRY(schedule(guided));
    TRY(schedule(guided, 4));
    TRY(schedule(auto));
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    for (int kind = 0; kind < 4; kind++) {
        for (int chunk = 0; chunk < 4; chunk += 3) {
            omp_set_schedule(kinds[kind], chunk);
            TRY(schedule(runtime));
        }
    }
    return verdict();
}
