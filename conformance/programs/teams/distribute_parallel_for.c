// distribute parallel for with each schedule: every iteration once, reductions across teams and threads, collapse, lastprivate.
// OpenMP 5.1, 2.11.6.3, 2.21.5
#include "check.h"

enum { N = 211 };

#define TRY(clauses)                                                                                   \
    do {                                                                                               \
        int hits[N] = {0}, last = -1;                                                                  \
        long sum = 0;                                                                                  \
        OMP(teams distribute parallel for num_teams(3) clauses reduction(+ : sum) lastprivate(last))   \
        for (int i = 0; i < N; i++) {                                                                  \
            __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);                                         \
            sum += i;                                                                                  \
            last = i;                                                                                  \
        }                                                                                              \
        for (int i = 0; i < N; i++) CHECK(hits[i] == 1, #clauses " %d: %d", i, hits[i]);               \
        CHECK(sum == (long)N * (N - 1) / 2, #clauses " %ld", sum);                                     \
        CHECK(last == N - 1, #clauses " last %d", last);                                               \
    } while (0)

int main(void) {
    TRY();
    TRY(schedule(static));
    TRY(schedule(static, 5));
    TRY(schedule(dynamic));
    TRY(schedule(dynamic, 7));
    TRY(schedule(guided));
    TRY(schedule(auto));
    TRY(schedule(runtime));
    TRY(dist_schedule(static, 16));
    TRY(dist_schedule(static, 16) schedule(dynamic, 2));
    TRY(dist_schedule(static) schedule(static, 3));
    TRY(num_threads(2) schedule(nonmonotonic : dynamic));
    int grid[13][17] = {{0}};
#pragma omp teams distribute parallel for collapse(2) num_teams(4)
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 17; j++) grid[i][j] += i * 17 + j + 1;
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 17; j++) CHECK_EQ(grid[i][j], i * 17 + j + 1);
    return verdict();
}
