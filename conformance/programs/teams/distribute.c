// distribute in each form: every iteration once, blocks without a schedule, chunks in turn with dist_schedule, lastprivate
// from the last iteration, any type and direction. OpenMP 5.1, 2.11.6
#include <stdint.h>

#include "check.h"

enum { N = 53 };

#define TRY(clauses, type, from, condition, step, index)                                                      \
    do {                                                                                                      \
        int hits[N] = {0}, owner[N], teams = 0;                                                               \
        type last = 0;                                                                                        \
        _Pragma("omp teams num_teams(3) shared(hits, owner, teams, last)") {                                  \
            if (omp_get_team_num() == 0) teams = omp_get_num_teams();                                         \
            OMP(distribute clauses lastprivate(last))                                                         \
            for (type i = from; condition; i += step) {                                                       \
                owner[index] = omp_get_team_num();                                                            \
                __atomic_fetch_add(&hits[index], 1, __ATOMIC_RELAXED);                                        \
                last = i;                                                                                     \
            }                                                                                                 \
        }                                                                                                     \
        for (int i = 0; i < N; i++) CHECK(hits[i] == 1, #clauses " " #type " %d: %d", i, hits[i]);            \
        CHECK(last == (type)(from + (N - 1) * (step)), #clauses " " #type " last");                           \
        int chunk = sizeof(#clauses) > 1 ? 4 : 0;                                                             \
        for (int i = 0; i < N && chunk; i++) CHECK_EQ(owner[i], i / chunk % teams);                           \
        for (int i = 1; i < N && !chunk; i++) CHECK(owner[i] >= owner[i - 1], "%d", i);                       \
    } while (0)

int main(void) {
    TRY(, int, 0, i < N, 1, i);
    TRY(dist_schedule(static, 4), int, 0, i < N, 1, i);
    TRY(, unsigned, 4294967200u, i < 4294967200u + N, 1, i - 4294967200u);
    TRY(dist_schedule(static, 4), unsigned, 10u, i < 10u + N, 1, i - 10u);
    TRY(, int64_t, 5000000000, i < 5000000000 + 3 * N, 3, (i - 5000000000) / 3);
    TRY(dist_schedule(static, 4), int64_t, -90, i < -90 + 2 * N, 2, (i + 90) / 2);
    TRY(, int, N - 1, i >= 0, -1, N - 1 - i);
    TRY(dist_schedule(static, 4), uint64_t, 7u, i < 7u + N, 1, i - 7u);
    return verdict();
}
