// lastprivate(conditional: …) on loops under every schedule, collapsed, ordered and doacross ones, and on sections: the value is that of
// the logically last iteration that assigns, or the original one if none does. clang 19 loses values under static chunks, and where no iteration
// assigns. OpenMP 5.1, 2.21.4.5 (lastprivate clause)
//@ compilers: gcc
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
//@ needs: gcc 10
#include "check.h"

enum { N = 60 };

#define TRY(clause)                                                                                   \
    do {                                                                                              \
        for (int limit = 0; limit <= N; limit += 20) {                                                \
            int x = -5, y = -6, chain[N + 1];                                                         \
            long z = -7;                                                                              \
            OMP(parallel for lastprivate(conditional : x, z) clause)                                  \
            for (int i = 0; i < N; i++) {                                                             \
                if (i < limit && i % 3 == 0) x = i;                                                   \
                if (i == limit) z = i * 1000L;                                                        \
            }                                                                                         \
            CHECK(x == (limit ? (limit - 1) / 3 * 3 : -5), "%s, %d: x is %d", #clause, limit, x);     \
            CHECK(z == (limit < N ? limit * 1000L : -7), "%s, %d: z is %ld", #clause, limit, z);      \
            OMP(parallel for lastprivate(conditional : y) ordered(1) clause)                          \
            for (int i = 0; i < N; i++) {                                                             \
                _Pragma("omp ordered depend(sink : i - 1)")                                           \
                chain[i] = i ? chain[i - 1] + 1 : 0;                                                  \
                _Pragma("omp ordered depend(source)")                                                 \
                if (chain[i] < limit && i % 7 == 0) y = chain[i];                                     \
            }                                                                                         \
            CHECK(y == (limit ? (limit - 1) / 7 * 7 : -6), "%s, %d: y is %d", #clause, limit, y);     \
        }                                                                                             \
    } while (0)

int main(void) {
    for (int round = 0; round < 2; round++) {
        TRY(schedule(static));
        TRY(schedule(static, 3));
        TRY(schedule(dynamic));
        TRY(schedule(dynamic, 5));
        TRY(schedule(guided));
        omp_set_schedule(omp_sched_dynamic, 2);
        TRY(schedule(runtime));
        int last = -1, inner = 0, never = 44;
#pragma omp parallel for collapse(2) lastprivate(conditional : last) schedule(dynamic, 7)
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 11; j++)
                if (i * j % 5 == 1) last = i * 100 + j;
        CHECK_EQ(last, 12 * 100 + 8);
#pragma omp parallel sections lastprivate(conditional : inner, never)
        {
#pragma omp section
            inner = 1;
#pragma omp section
            inner = 2;
#pragma omp section
            if (round >= 100) never = 3;
        }
        CHECK_EQ(inner, 2);
        CHECK_EQ(never, 44);
    }
    return verdict();
}
