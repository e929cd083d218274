// Sinks outside the iteration space have no effect, on any side of any loop: in a skewed nest each row waits for the next column of
// the row above, which the last column lacks. OpenMP 5.1, 2.19.11 (depend clause: sink vectors outside the iteration space)
//@ stock-fails: clang because an index just behind the end of an inner loop is waited for without end
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { N = 17, M = 11 };

static int skew[N][M], wide[N][M];

#define TRY(clause)                                                                              \
    do {                                                                                         \
        for (int i = 0; i < N; i++)                                                              \
            for (int j = 0; j < M; j++) skew[i][j] = wide[i][j] = 0;                             \
        OMP(parallel for ordered(2) clause)                                                      \
        for (int i = 0; i < N; i++)                                                              \
            for (int j = 0; j < M; j++) {                                                        \
                _Pragma("omp ordered depend(sink : i - 1, j + 1) depend(sink : i, j - 1)")       \
                skew[i][j] = 1 + (i && j + 1 < M ? skew[i - 1][j + 1] : 0) + (j ? skew[i][j - 1] : 0); \
                skew[i][j] %= 9973;                                                              \
                _Pragma("omp ordered depend(source)")                                            \
            }                                                                                    \
        OMP(parallel for ordered(2) clause)                                                      \
        for (int i = 0; i < N; i++)                                                              \
            for (int j = M - 1; j >= 0; j--) {                                                   \
                _Pragma("omp ordered depend(sink : i - 3, j - 4) depend(sink : i - 1, j + 2) depend(sink : i - 1, j - 1)") \
                wide[i][j] = 1 + (i >= 3 && j >= 4 ? wide[i - 3][j - 4] : 0) + (i && j + 2 < M ? wide[i - 1][j + 2] : 0) + \
                             (i && j ? wide[i - 1][j - 1] : 0);                                  \
                wide[i][j] %= 9973;                                                              \
                _Pragma("omp ordered depend(source)")                                            \
            }                                                                                    \
        for (int i = 0; i < N; i++)                                                              \
            for (int j = 0; j < M; j++) {                                                        \
                CHECK(skew[i][j] == (1 + (i && j + 1 < M ? skew[i - 1][j + 1] : 0) + (j ? skew[i][j - 1] : 0)) % 9973, \
                      "%s: skew %d %d", #clause, i, j);                                          \
                CHECK(wide[i][j] == (1 + (i >= 3 && j >= 4 ? wide[i - 3][j - 4] : 0) +           \
                                     (i && j + 2 < M ? wide[i - 1][j + 2] : 0) + (i && j ? wide[i - 1][j - 1] : 0)) % 9973, \
                      "%s: wide %d %d", #clause, i, j);                                          \
            }                                                                                    \
    } while (0)

int main(void) {
    TRY(schedule(static, 1));
    TRY(schedule(static));
    TRY(schedule(dynamic));
    TRY(schedule(dynamic, 3));
    return verdict();
}
