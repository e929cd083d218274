// Message passing by flag with atomic accesses and flushes, in both directions between neighbours around a ring.
// OpenMP 5.1, 2.19.8 (flush construct), 1.4.4 (flush operation)
#include <sched.h>

#include "check.h"

int main(void) {
    int payload = 0, turn = 0, laps = 6;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), size = omp_get_num_threads(), seen;
        for (int lap = 0; lap < laps; lap++) {
            for (;;) {
#pragma omp atomic read acquire
                seen = turn;
                if (seen == lap * size + me) break;
                sched_yield();
            }
#pragma omp flush
            CHECK_EQ(payload, seen * 3);
            payload = (seen + 1) * 3;
#pragma omp flush(payload)
#pragma omp flush acq_rel
#pragma omp atomic write release
            turn = seen + 1;
        }
    }
    CHECK_EQ(turn, laps * omp_get_max_threads());
    return verdict();
}
