// A single region, then cancel parallel by every thread: no thread waits for one that has gone to the end. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because libomp hangs now and then
#include "check.h"

int main(void) {
    for (int round = 0; round < 300; round++) {
        int once = 0, after = 0;
#pragma omp parallel shared(once, after)
        {
#pragma omp single
            once++;
#pragma omp cancel parallel
#pragma omp atomic
            after++;
        }
        CHECK_EQ(once, 1);
        CHECK_EQ(after, 0);
    }
    return verdict();
}
