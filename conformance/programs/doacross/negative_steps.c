// Loops that count down, and loops in steps: the sink of a downward loop lies above the current iteration, and what is behind the
// loop's begin is not waited for. OpenMP 5.1, 2.19.11 (depend clause: sink vectors)
#include "check.h"

enum { N = 61, M = 23 };

static long row[N + 8], cell[N + 8][M + 8];

#define TRY(clause)                                                                              \
    do {                                                                                         \
        for (int i = 0; i < N + 8; i++) {                                                        \
            row[i] = 1;                                                                          \
            for (int j = 0; j < M + 8; j++) cell[i][j] = 1;                                      \
        }                                                                                        \
        OMP(parallel for ordered(1) clause)                                                      \
        for (int i = N; i > 0; i -= 3) {                                                         \
            _Pragma("omp ordered depend(sink : i + 3)")                                          \
            row[i] += row[i + 3];                                                                \
            _Pragma("omp ordered depend(source)")                                                \
        }                                                                                        \
        for (int i = N, want = 2; i > 0; i -= 3, want++) CHECK(row[i] == want, "%s: %d: %ld", #clause, i, row[i]); \
        OMP(parallel for ordered(2) clause)                                                      \
        for (long i = N; i >= 1; i -= 4)                                                         \
            for (int j = 2; j <= M; j += 2) {                                                    \
                _Pragma("omp ordered depend(sink : i + 4, j) depend(sink : i, j - 2)")           \
                cell[i][j] = (cell[i + 4][j] + cell[i][j - 2]) % 65521;                          \
                _Pragma("omp ordered depend(source)")                                            \
            }                                                                                    \
        for (long i = N; i >= 1; i -= 4)                                                         \
            for (int j = 2; j <= M; j += 2)                                                      \
                CHECK(cell[i][j] == (cell[i + 4][j] + cell[i][j - 2]) % 65521, "%s: %ld %d", #clause, i, j); \
        OMP(parallel for ordered(2) clause)                                                      \
        for (short i = 2; i < N; i += 5)                                                         \
            for (signed char j = M; j > 3; j -= 2) {                                             \
                _Pragma("omp ordered depend(sink : i - 5, j) depend(sink : i, j + 2)")           \
                cell[i][j] = (i > 2 ? cell[i - 5][j] : 0) + (j < M ? cell[i][j + 2] : 0) + 1;    \
                cell[i][j] %= 65521;                                                             \
                _Pragma("omp ordered depend(source)")                                            \
            }                                                                                    \
        for (int i = 2; i < N; i += 5)                                                           \
            for (int j = M; j > 3; j -= 2)                                                       \
                CHECK(cell[i][j] == ((i > 2 ? cell[i - 5][j] : 0) + (j < M ? cell[i][j + 2] : 0) + 1) % 65521, \
                      "%s: short %d %d", #clause, i, j);                                         \
    } while (0)

int main(void) {
    TRY(schedule(static));
    TRY(schedule(static, 3));
    TRY(schedule(dynamic));
    TRY(schedule(guided, 2));
    return verdict();
}
