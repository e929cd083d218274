// KMP_AFFINITY=verbose says what is found and done.
//@ env: KMP_AFFINITY=verbose,granularity=fine,compact
//@ env: OMP_NUM_THREADS=2
//@ expect-stderr: KMP_AFFINITY socket core
//@ stderr-may-hold-more:
//@ stock-fails: gcc because libgomp does not know the variable
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 2);
    return verdict();
}
