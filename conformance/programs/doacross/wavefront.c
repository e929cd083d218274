// Two loops, each iteration after its neighbours above and to the left, and a diagonal one: results and the order of events.
// OpenMP 5.1, 2.19.9 (ordered construct, doacross loop nest)
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { N = 24, M = 19 };

static int grid[N][M], done[N][M];

#define TRY(clause)                                                                              \
    do {                                                                                         \
        for (int i = 0; i < N; i++)                                                              \
            for (int j = 0; j < M; j++) grid[i][j] = i == 0 || j == 0, done[i][j] = 0;           \
        OMP(parallel for ordered(2) clause)                                                      \
        for (int i = 1; i < N; i++)                                                              \
            for (int j = 1; j < M; j++) {                                                        \
                _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1) depend(sink : i - 1, j - 1)") \
                CHECK(i == 1 || done[i - 1][j], "%s: %d %d before the row above", #clause, i, j); \
                CHECK(j == 1 || done[i][j - 1], "%s: %d %d before its left", #clause, i, j);     \
                grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + grid[i - 1][j - 1]) % 10007;     \
                done[i][j] = 1;                                                                  \
                _Pragma("omp ordered depend(source)")                                            \
            }                                                                                    \
        for (int i = 1; i < N; i++)                                                              \
            for (int j = 1; j < M; j++)                                                          \
                CHECK(grid[i][j] == (grid[i - 1][j] + grid[i][j - 1] + grid[i - 1][j - 1]) % 10007, "%s: %d %d", #clause, i, j); \
        CHECK_EQ(grid[2][2], 13);                                                        \
    } while (0)

int main(void) {
    TRY(schedule(static));
    TRY(schedule(static, 1));
    TRY(schedule(dynamic));
    TRY(schedule(dynamic, 2));
    TRY(schedule(guided, 2));
    return verdict();
}
