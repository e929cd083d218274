// private, firstprivate and default clauses of teams, and static data that the teams share. OpenMP 5.1, 2.21.4
#include "check.h"

static int shared_total;

int main(void) {
    int first = 5, private_value = 7, array[3] = {1, 2, 3}, teams = 0;
#pragma omp teams num_teams(3) default(none) firstprivate(first, array) private(private_value) shared(shared_total, corpus_failures, stdout) \
    reduction(+ : teams)
    {
        teams++;
        private_value = omp_get_team_num();
        first += private_value;
        array[1] += first;
        CHECK_EQ(array[1], 7 + private_value);
        __atomic_fetch_add(&shared_total, array[1] - private_value, __ATOMIC_RELAXED);
    }
    CHECK_EQ(first, 5);
    CHECK_EQ(private_value, 7);
    CHECK_EQ(array[1], 2);
    CHECK_EQ(shared_total, 7 * teams);
    return verdict();
}
