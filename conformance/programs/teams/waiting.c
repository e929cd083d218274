// Teams of which the last but one waits for the last run side by side, however often they have been executed. The wait ends some time,
// as OpenMP does not promise that. OpenMP 5.1, 2.7
//@ stock-fails: gcc because libgomp executes teams one after the other
#include "check.h"

enum { ROUNDS = 300 };

static int begun, missed;

static void visit(void) {
    int last = omp_get_num_teams() - 1;
    if (omp_get_team_num() == last) __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
    if (omp_get_team_num() != last - 1) return;
    double until = omp_get_wtime() + 5;
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE) && omp_get_wtime() < until) continue;
    if (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) missed = 1;
}

int main(void) {
    for (int round = 0; round < ROUNDS && missed == 0; round++) {
        begun = 0;
#pragma omp teams num_teams(2 + round % 2)
        visit();
    }
    CHECK(missed == 0 || omp_get_num_procs() == 1, "the second team has not begun");
    return verdict();
}
