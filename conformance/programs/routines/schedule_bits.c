// omp_get_schedule gives back what omp_set_schedule was given, the monotonic modifier included; other kinds change nothing.
// OpenMP 5.1, 3.2.11, 3.2.12
//@ compilers: clang
//@ stderr-may-hold-more:
#include "check.h"

static void round_trip(unsigned kind, int chunk, unsigned want_kind, int want_chunk) {
    omp_sched_t got_kind;
    int got_chunk;
    omp_set_schedule((omp_sched_t)kind, chunk);
    omp_get_schedule(&got_kind, &got_chunk);
    CHECK_EQ((unsigned)got_kind, want_kind);
    if (want_chunk >= 0) CHECK_EQ(got_chunk, want_chunk);
}

int main(void) {
    const unsigned monotonic = 0x80000000u;
    round_trip(omp_sched_static, 5, omp_sched_static, 5);
    round_trip(omp_sched_dynamic, 3, omp_sched_dynamic, 3);
    round_trip(omp_sched_guided, 2, omp_sched_guided, 2);
    round_trip(omp_sched_auto, 2, omp_sched_auto, -1);
    round_trip(monotonic | omp_sched_dynamic, 4, monotonic | omp_sched_dynamic, 4);
    round_trip(monotonic | omp_sched_guided, 6, monotonic | omp_sched_guided, 6);
    round_trip(omp_sched_dynamic, 0, omp_sched_dynamic, 1);
    int sum = 0;
    omp_set_schedule((omp_sched_t)(monotonic | omp_sched_dynamic), 2);
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(runtime) reduction(+ : sum)
        for (int i = 0; i < 500; i++) {
            CHECK(i > last, "%d after %d", i, last);
            last = i;
            sum += i;
        }
    }
    CHECK_EQ(sum, 124750);
    return verdict();
}
