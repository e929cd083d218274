// One writer, two thousand readers, one writer, over and over: the second waits for all readers, the readers for the first.
// OpenMP 5.1, 2.19.11
//@ threads: 1 2 3 8
#include "check.h"

int main(void) {
    enum { READERS = 2000 };
    int x = 0, readers = 0;
#pragma omp parallel
#pragma omp single
    for (int round = 1; round <= 3; round++) {
#pragma omp task depend(out : x) firstprivate(round) shared(x, readers)
        {
            CHECK_EQ(readers, (round - 1) * READERS);
            x = round;
        }
        for (int i = 0; i < READERS; i++) {
#pragma omp task depend(in : x) firstprivate(round) shared(x, readers)
            {
                if (x != round) CHECK_EQ(x, round);
#pragma omp atomic
                readers++;
            }
        }
    }
    CHECK_EQ(readers, 3 * READERS);
    return verdict();
}
