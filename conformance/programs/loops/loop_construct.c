// The loop construct (parallel loop, loop bind(parallel)) runs each iteration once.
// OpenMP 5.1, 2.11.7 (loop construct)
//@ needs: clang 14, gcc 10
#include "check.h"

int main(void) {
    static int hits[333];
#pragma omp parallel loop
    for (int i = 0; i < 333; i++) hits[i]++;
#pragma omp parallel
    {
#pragma omp loop bind(parallel)
        for (int i = 332; i >= 0; i--) hits[i]++;
    }
    for (int i = 0; i < 333; i++) CHECK_EQ(hits[i], 2);
    return verdict();
}
