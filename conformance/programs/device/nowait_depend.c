// Target tasks: deferred with nowait, ordered by dependences among themselves, tasks, updates and data constructs.
// OpenMP 5.1, 2.14.3-6
#include "check.h"

enum { STEPS = 40 };

int main(void) {
    int chain = 0, order[4] = {0}, ticket = 0, sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < STEPS; i++) {
            if (i % 3 == 0) {
#pragma omp task depend(inout : chain)
                chain = chain * 2 % 1001 + i;
            } else if (i % 3 == 1) {
#pragma omp target nowait depend(inout : chain) map(tofrom : chain)
                chain = chain * 2 % 1001 + i;
            } else {
#pragma omp target depend(inout : chain) map(tofrom : chain)
                chain = chain * 2 % 1001 + i;
            }
        }
#pragma omp taskwait
        int want = 0;
        for (int i = 0; i < STEPS; i++) want = want * 2 % 1001 + i;
        CHECK_EQ(chain, want);

#pragma omp task depend(out : order)
        {
            spin_work(2000);
#pragma omp atomic capture
            order[0] = ++ticket;
        }
        // Compiled for the host alone, clang drops constructs that only move data, and with them their place in the order.
#ifndef __clang__
#pragma omp target enter data nowait map(to : order) depend(inout : order)
#endif
#pragma omp target nowait map(tofrom : order, ticket) depend(inout : order)
#pragma omp atomic capture
        order[1] = ++ticket;
#ifndef __clang__
#pragma omp target update from(order) depend(inout : order)
#pragma omp target exit data nowait map(from : order) depend(inout : order)
#else
#pragma omp taskwait
#endif
        order[2] = ++ticket;
#pragma omp taskwait
        order[3] = ++ticket;
        for (int i = 0; i < 4; i++) CHECK_EQ(order[i], i + 1);

#pragma omp taskgroup
        for (int i = 1; i <= STEPS; i++) {
#pragma omp target nowait map(tofrom : sum) firstprivate(i)
#pragma omp atomic
            sum += i;
        }
        CHECK_EQ(sum, STEPS * (STEPS + 1) / 2);
    }

    // Outside of all regions.
    int later = 0;
#pragma omp target nowait map(tofrom : later) depend(out : later)
    later = 1;
#pragma omp target nowait map(tofrom : later) depend(inout : later)
    later = later * 10 + 2;
#pragma omp taskwait
    CHECK_EQ(later, 12);
    return verdict();
}
