// A host teams region with distribute parallel for, chunked and not: together the teams run each iteration once.
// OpenMP 5.1, 2.7 (teams construct), 2.11.6 (distribute construct)
//@ threads: 1 2 3 8
#include "check.h"

enum { N = 131 };

#define TRY(type, from, clause)                                                                          \
    do {                                                                                                 \
        int hits[N] = {0};                                                                               \
        OMP(teams distribute parallel for num_teams(3) thread_limit(4) clause)                           \
        for (type i = (type)(from); i < (type)(from) + N; i++)                                           \
            __atomic_fetch_add(&hits[i - (type)(from)], 1, __ATOMIC_RELAXED);                            \
        for (int i = 0; i < N; i++) CHECK(hits[i] == 1, #type " " #clause ": %d ran %d times", i, hits[i]); \
    } while (0)

int main(void) {
    int teams = 0, sum = 0;
#pragma omp teams num_teams(2) reduction(+ : teams)
    {
        CHECK(omp_get_num_teams() >= 1 && omp_get_num_teams() <= 2, "%d", omp_get_num_teams());
        CHECK(omp_get_team_num() >= 0 && omp_get_team_num() < omp_get_num_teams(), "%d", omp_get_team_num());
        teams++;
    }
    CHECK(teams >= 1 && teams <= 2, "%d", teams);
    TRY(int, -5, schedule(static));
    TRY(int, -5, dist_schedule(static, 10) schedule(static));
    TRY(unsigned, 4294967000u, dist_schedule(static, 7));
    TRY(long, -7000000000, schedule(static, 5));
    TRY(unsigned long, 18446744073709551000ul, dist_schedule(static, 20));
    TRY(int, 0, schedule(dynamic, 3));
#pragma omp teams distribute num_teams(2) reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    CHECK_EQ(sum, 4950);
    return verdict();
}
