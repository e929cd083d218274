// Teams that are executed over and over from one place: tiny ones end up on the encountering thread, one after the other, and long
// ones side by side again. Either way each team has its own initial task, with its own ICVs and tasks. OpenMP 5.1, 2.7, 2.4
//@ stock-fails: gcc because libgomp executes teams one after the other, and they share the ICVs
//@ stock-fails: clang because libomp executes teams side by side
#include <pthread.h>

#include "check.h"

static pthread_t encountering;
static int met[2], wrong, others, threads;

static void visit(int micros) {
    int team = omp_get_team_num(), child = 0;
    met[team]++;
    // The team before on this thread has set another number.
    int bad = omp_get_num_teams() != 2 || omp_get_thread_num() != 0 || omp_get_num_threads() != 1 || omp_get_level() != 0 ||
              omp_get_max_threads() != threads;
    omp_set_num_threads(threads + 1 + team);
    bad += omp_get_max_threads() != threads + 1 + team;
#pragma omp task shared(child) if (micros == 0)
    child = 1;
#pragma omp taskwait
    bad += child != 1;
    for (double until = omp_get_wtime() + micros * 1e-6; micros > 0 && omp_get_wtime() < until;) continue;
    __atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
    if (!pthread_equal(pthread_self(), encountering)) __atomic_fetch_add(&others, 1, __ATOMIC_RELAXED);
}

// Returns whether another thread has taken part.
static int league(int micros) {
    others = 0;
#pragma omp teams num_teams(2)
    visit(micros);
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    CHECK_EQ(omp_get_max_threads(), threads);
    return others != 0;
}

int main(void) {
    encountering = pthread_self();
    threads = omp_get_max_threads();
    int count = 0, alone = omp_get_num_procs() == 1;
    for (int round = 0; round < 2; round++) {
        int in_turn = 0, side_by_side = 0;
        for (double until = omp_get_wtime() + 20; in_turn < 100 && omp_get_wtime() < until; count++) in_turn += !league(0);
        CHECK(in_turn == 100, "%d of %d in turn", in_turn, count);
        // The other thread may wait long for a CPU.
        double until = omp_get_wtime() + (alone ? 0 : 20);
        for (int i = 0; i < 12 || (side_by_side == 0 && omp_get_wtime() < until); i++, count++) side_by_side += league(3000);
        CHECK(side_by_side > 0 || alone, "never side by side");
    }
    CHECK_EQ(met[0], count);
    CHECK_EQ(met[1], count);
    CHECK_EQ(wrong, 0);
    return verdict();
}
