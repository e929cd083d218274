// collapse together with ordered(n): the collapsed loops are handed out as one, the vectors still name each loop.
// OpenMP 5.1, 2.11.4 (collapse and ordered clauses), 2.19.9
#include "check.h"

enum { A = 7, B = 6, C = 5 };

static int order2[A][B], order3[A][B][C];

#define TRY(clause)                                                                              \
    do {                                                                                         \
        __builtin_memset(order2, 0, sizeof order2);                                              \
        __builtin_memset(order3, 0, sizeof order3);                                              \
        OMP(parallel for collapse(2) ordered(2) clause)                                          \
        for (int a = 0; a < A; a++)                                                              \
            for (int b = 0; b < B; b++) {                                                        \
                _Pragma("omp ordered depend(sink : a, b - 1) depend(sink : a - 1, b)")           \
                order2[a][b] = 1 + (a ? order2[a - 1][b] : 0) + (b ? order2[a][b - 1] : 0);      \
                _Pragma("omp ordered depend(source)")                                            \
            }                                                                                    \
        OMP(parallel for collapse(2) ordered(3) clause)                                          \
        for (int a = 0; a < A; a++)                                                              \
            for (int b = 0; b < B; b++)                                                          \
                for (int c = 0; c < C; c++) {                                                    \
                    _Pragma("omp ordered depend(sink : a - 1, b, c) depend(sink : a, b - 1, c) depend(sink : a, b, c - 1)") \
                    order3[a][b][c] = (1 + (a ? order3[a - 1][b][c] : 0) + (b ? order3[a][b - 1][c] : 0) + \
                                       (c ? order3[a][b][c - 1] : 0)) % 10007;                   \
                    _Pragma("omp ordered depend(source)")                                        \
                }                                                                                \
        for (int a = 0; a < A; a++)                                                              \
            for (int b = 0; b < B; b++) {                                                        \
                CHECK(order2[a][b] == 1 + (a ? order2[a - 1][b] : 0) + (b ? order2[a][b - 1] : 0), "%s: %d %d", #clause, a, b); \
                for (int c = 0; c < C; c++)                                                      \
                    CHECK(order3[a][b][c] == (1 + (a ? order3[a - 1][b][c] : 0) + (b ? order3[a][b - 1][c] : 0) + \
                                              (c ? order3[a][b][c - 1] : 0)) % 10007, "%s: %d %d %d", #clause, a, b, c); \
            }                                                                                    \
    } while (0)

int main(void) {
    TRY(schedule(static));
    TRY(schedule(static, 2));
    TRY(schedule(dynamic));
    TRY(schedule(dynamic, 4));
    TRY(schedule(guided));
    return verdict();
}
