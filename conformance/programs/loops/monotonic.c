// With the monotonic modifier, each thread's iterations come in increasing logical order, for every schedule kind.
// OpenMP 5.1, 2.11.4 (schedule modifiers)
#include "check.h"

static int hits[1000];

#define TRY(text)                                                        \
    do {                                                                 \
        for (int i = 0; i < 1000; i++) hits[i] = 0;                      \
        _Pragma("omp parallel")                                          \
        {                                                                \
            int last = -1;                                               \
            _Pragma(text)                                                \
            for (int i = 0; i < 1000; i++) {                             \
                CHECK(i > last, "%s: %d after %d", text, i, last);       \
                last = i;                                                \
                hits[i]++;                                               \
            }                                                            \
        }                                                                \
        for (int i = 0; i < 1000; i++) CHECK_EQ(hits[i], 1);             \
    } while (0)

int main(void) {
    TRY("omp for schedule(monotonic : static)");
    TRY("omp for schedule(monotonic : static, 7)");
    TRY("omp for schedule(monotonic : dynamic)");
    TRY("omp for schedule(monotonic : dynamic, 9)");
    TRY("omp for schedule(monotonic : guided)");
    TRY("omp for schedule(monotonic : guided, 5)");
    TRY("omp for schedule(static)");
    TRY("omp for schedule(static, 3)");
    omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, 4);
    TRY("omp for schedule(runtime)");
    omp_set_schedule(omp_sched_guided | omp_sched_monotonic, 2);
    TRY("omp for schedule(monotonic : runtime)");
    return verdict();
}
