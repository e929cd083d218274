// Leagues in target regions: num_teams and thread_limit, distribute with a parallel loop in it, a reduction over all of it, and target
// tasks that each have a league. OpenMP 5.1, 2.7, 2.14.5
#include "check.h"

enum { N = 400 };

int main(void) {
    static int hits[N];
    int teams = 0, wrong = 0, numbers = 0;
    long sum = 0;
#pragma omp target teams num_teams(3) thread_limit(2) map(tofrom : teams, wrong, numbers) reduction(+ : wrong, numbers)
    {
        if (omp_get_team_num() == 0) teams = omp_get_num_teams();
        int in_team = 0;
#pragma omp parallel reduction(+ : in_team)
        in_team++;
        if (in_team > 2 || omp_get_team_num() >= omp_get_num_teams()) wrong++;
        numbers += 1 << omp_get_team_num();
    }
    CHECK(teams >= 1 && teams <= 3, "%d teams", teams);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(numbers, (1 << teams) - 1);

#pragma omp target teams distribute parallel for map(tofrom : hits, sum) reduction(+ : sum) num_teams(2)
    for (int i = 0; i < N; i++) {
        hits[i]++;
        sum += i;
    }
    for (int i = 0; i < N; i++) CHECK_EQ(hits[i], 1);
    CHECK_EQ(sum, (long)N * (N - 1) / 2);

    int chain = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 6; i++) {
#pragma omp target teams distribute num_teams(2) nowait depend(inout : chain) map(tofrom : hits, chain)
        for (int j = 0; j < N; j++) {
            hits[j] = hits[j] * 2 + (i & 1);
            if (j == N - 1) {
#pragma omp atomic
                chain++;
            }
        }
    }
    CHECK_EQ(chain, 6);
    int want = 1;
    for (int i = 0; i < 6; i++) want = want * 2 + (i & 1);
    for (int i = 0; i < N; i++) CHECK_EQ(hits[i], want);
    CHECK_EQ(omp_get_num_teams(), 1);
    return verdict();
}
