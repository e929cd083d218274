// A soft pause gives the worker threads back; the next region works as before, with the ICVs as they were.
// OpenMP 5.1, 3.6.1
//@ stock-fails: clang because it keeps its threads
#include "check.h"
#include "threads.h"

int main(void) {
    int before = threads_now();
    omp_set_schedule(omp_sched_guided, 5);
    for (int round = 0; round < 5; round++) {
        int size = 0;
#pragma omp parallel reduction(+ : size)
        size++;
        CHECK_EQ(size, omp_get_max_threads());
        CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
        CHECK_EQ(threads_settle(before), before);
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        CHECK_EQ(kind, omp_sched_guided);
        CHECK_EQ(chunk, 5);
    }
    return verdict();
}
