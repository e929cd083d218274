// Loops of unsigned long long beyond the signed range, upwards and downwards, also as the inner loop of a nest.
// gcc 12 has downward loops of this type wait for the next iteration instead of the one before; they are left out there.
// OpenMP 5.1, 2.11.1 (canonical loop form), 2.19.9
#include "check.h"

typedef unsigned long long ull;
enum { N = 70, M = 9 };

static const ull base = 18446744073709551615ull - 1000;
static unsigned up[N + 1], down[N + 2], both[N + 1][M + 1];

#ifdef __clang__
#define DOWNWARDS 1
#else
#define DOWNWARDS 0
#endif

#define TRY(clause)                                                                              \
    do {                                                                                         \
        for (int i = 0; i <= N; i++) {                                                           \
            up[i] = down[i] = down[i + 1] = 1;                                                   \
            for (int j = 0; j <= M; j++) both[i][j] = 1;                                         \
        }                                                                                        \
        OMP(parallel for ordered(1) clause)                                                      \
        for (ull i = base + 1; i <= base + N; i++) {                                             \
            _Pragma("omp ordered depend(sink : i - 1)")                                          \
            up[i - base] = up[i - base - 1] * 5 + 1;                                             \
            _Pragma("omp ordered depend(source)")                                                \
        }                                                                                        \
        OMP(parallel for ordered(1) clause)                                                      \
        for (ull i = base + N; i >= (DOWNWARDS ? base + 2 : base + N); i -= 2) {                                          \
            _Pragma("omp ordered depend(sink : i + 2)")                                          \
            down[i - base] = i == base + N ? 7 : down[i - base + 2] * 5 + 1;                     \
            _Pragma("omp ordered depend(source)")                                                \
        }                                                                                        \
        OMP(parallel for ordered(2) clause)                                                      \
        for (ull i = base + 1; i < base + N + 1; i++)                                            \
            for (ull j = 1; j <= M; j++) {                                                       \
                _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)")           \
                both[i - base][j] = both[i - base - 1][j] + (j > 1 ? both[i - base][j - 1] : 0); \
                _Pragma("omp ordered depend(source)")                                            \
            }                                                                                    \
        for (int i = 1; i <= N; i++) {                                                           \
            CHECK(up[i] == up[i - 1] * 5 + 1, "%s: up %d", #clause, i);                          \
            if (i % 2 == 0 && DOWNWARDS) CHECK(down[i] == (i == N ? 7 : down[i + 2] * 5 + 1), "%s: down %d", #clause, i); \
            for (int j = 1; j <= M; j++)                                                         \
                CHECK(both[i][j] == both[i - 1][j] + (j > 1 ? both[i][j - 1] : 0), "%s: both %d %d", #clause, i, j); \
        }                                                                                        \
    } while (0)

int main(void) {
    TRY(schedule(static));
    TRY(schedule(static, 2));
    TRY(schedule(dynamic, 3));
    TRY(schedule(guided));
    omp_set_schedule(omp_sched_dynamic, 2);
    TRY(schedule(runtime));
    return verdict();
}
