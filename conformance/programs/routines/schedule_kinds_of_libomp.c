// libomp's own schedule kinds go through omp_set_schedule and come back under their numbers, with the monotonic modifier too, and each
// divides schedule(runtime) loops, ordered ones in order. OpenMP 5.1, 3.2.11, 3.2.12; libomp's kmp_sched_t
//@ stderr-may-hold-more:
//@ stock-fails: gcc because libgomp does not know these kinds
//@ stock-fails: clang because libomp 19 ends the program at 102
#include "check.h"

enum { N = 600, TRAPEZOIDAL = 101, STATIC_STEAL = 102 };

static int hits[N];

static void comes_back(unsigned kind, int chunk, int want_chunk) {
    omp_sched_t got;
    int got_chunk;
    omp_set_schedule((omp_sched_t)kind, chunk);
    omp_get_schedule(&got, &got_chunk);
    CHECK_EQ((unsigned)got, kind);
    CHECK_EQ(got_chunk, want_chunk);
}

int main(void) {
    const unsigned monotonic = 0x80000000u;
    int rounds = 0;
    for (int kind = TRAPEZOIDAL; kind <= STATIC_STEAL; kind++) {
        comes_back(kind, 0, 1);
        comes_back(kind, -3, 1);
        for (int is_monotonic = 0; is_monotonic < 2; is_monotonic++) {
            comes_back(is_monotonic ? monotonic | kind : kind, 7, 7);
            int next = 0;
#pragma omp parallel
            {
                int last = -1;
#pragma omp for schedule(runtime)
                for (int i = 0; i < N; i++) {
                    CHECK(!is_monotonic || i > last, "%d after %d", i, last);
                    last = i;
                    hits[i]++;
                }
#pragma omp for schedule(runtime) ordered
                for (int i = 0; i < N; i++) {
#pragma omp ordered
                    CHECK_EQ(i, next++);
                }
            }
            rounds++;
            for (int i = 0; i < N; i++) CHECK_EQ(hits[i], rounds);
        }
    }
    // Numbers between the kinds and behind them are none.
    omp_set_schedule(omp_sched_guided, 3);
    for (unsigned kind = 0; kind < 300; kind++) {
        if ((kind >= 1 && kind <= 4) || kind == TRAPEZOIDAL || kind == STATIC_STEAL) continue;
        omp_sched_t got;
        int chunk;
        omp_set_schedule((omp_sched_t)kind, 9);
        omp_get_schedule(&got, &chunk);
        CHECK_EQ(got, omp_sched_guided);
    }
    return verdict();
}
