// The ordered region runs in iteration order under every schedule, also when some iterations have none and when counting down.
// OpenMP 5.1, 2.19.9 (ordered construct)
#include "check.h"

enum { N = 83 };

#define TRY(clause)                                                                  \
    do {                                                                             \
        int next = 0, work = 0;                                                      \
        OMP(parallel for ordered clause reduction(+ : work))                         \
        for (int i = 0; i < N; i++) {                                                \
            work += i;                                                               \
            _Pragma("omp ordered")                                                   \
            {                                                                        \
                CHECK(next == i, "%s: %d instead of %d", #clause, i, next);           \
                next++;                                                              \
            }                                                                        \
            work++;                                                                  \
        }                                                                            \
        CHECK_EQ(next, N);                                                           \
        CHECK_EQ(work, N * (N - 1) / 2 + N);                                         \
        int last = 1000;                                                             \
        OMP(parallel for ordered clause)                                             \
        for (long i = N; i > 0; i -= 3) {                                            \
            if (i % 2) {                                                             \
                _Pragma("omp ordered")                                               \
                {                                                                    \
                    CHECK(i < last, "%s: %ld after %d", #clause, i, last);            \
                    last = (int)i;                                                   \
                }                                                                    \
            }                                                                        \
        }                                                                            \
        CHECK_EQ(last, 5);                                                           \
    } while (0)

int main(void) {
    TRY(schedule(static));
    TRY(schedule(static, 1));
    TRY(schedule(static, 5));
    TRY(schedule(dynamic));
    TRY(schedule(dynamic, 4));
    TRY(schedule(guided));
    TRY(schedule(guided, 3));
    TRY(schedule(auto));
    omp_set_schedule(omp_sched_dynamic, 2);
    TRY(schedule(runtime));
    return verdict();
}
