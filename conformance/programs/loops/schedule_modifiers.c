// Schedule modifiers in all combinations with kinds and chunk sizes: each iteration once; the monotonic ones ascend in each thread; simd
// ones on loops with a vector part. OpenMP 5.1, 2.11.4 (schedule clause: modifiers)
//@ stock-fails: clang because libomp rounds to vectors as if their length were a power of two
#include "check.h"

enum { N = 501 };

static int hits[N];

#define TRY(construct, schedule_clause, ascends)                                                      \
    do {                                                                                              \
        _Pragma("omp parallel")                                                                       \
        {                                                                                             \
            int before = -1, me = omp_get_thread_num();                                               \
            (void)me;                                                                                 \
            OMP(construct schedule_clause)                                                            \
            for (int i = 0; i < N; i++) {                                                             \
                if (ascends) CHECK(i > before, "%s: %d after %d", #schedule_clause, i, before);       \
                if (ascends) before = i;                                                              \
                hits[i]++;                                                                            \
            }                                                                                         \
        }                                                                                             \
        for (int i = 0; i < N; i++) {                                                                 \
            CHECK(hits[i] == 1, "%s: %d ran %d times", #schedule_clause, i, hits[i]);                 \
            hits[i] = 0;                                                                              \
        }                                                                                             \
    } while (0)

int main(void) {
    for (int round = 0; round < 3; round++) {
        TRY(for, schedule(nonmonotonic : dynamic), 0);
        TRY(for, schedule(nonmonotonic : dynamic, 3), 0);
        TRY(for, schedule(nonmonotonic : guided), 0);
        TRY(for, schedule(nonmonotonic : guided, 8), 0);
        TRY(for, schedule(monotonic : dynamic, 1), 1);
        TRY(for, schedule(monotonic : guided, 2), 1);
        TRY(for, schedule(monotonic : static, 4), 1);
        TRY(for simd, schedule(simd : static), 0);
        TRY(for simd, schedule(simd : static, 5), 0);
        TRY(for simd, schedule(simd : dynamic, 5), 0);
        TRY(for simd, schedule(simd : guided, 3), 0);
        TRY(for simd, schedule(simd, monotonic : dynamic, 6), 0);
        TRY(for simd, schedule(simd, nonmonotonic : guided), 0);
        for (int kind = omp_sched_static; kind <= omp_sched_auto; kind++) {
            omp_set_schedule((omp_sched_t)kind, 5);
            TRY(for, schedule(runtime), 0);
            TRY(for, schedule(monotonic : runtime), 1);
            TRY(for, schedule(nonmonotonic : runtime), 0);
            TRY(for simd, schedule(simd : runtime), 0);
        }
    }
    return verdict();
}
