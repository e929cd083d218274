// Stacks that are smaller than a thread needs at the least are made large enough for that. OpenMP 5.1, 6.6 (OMP_STACKSIZE)
//@ env: OMP_STACKSIZE=1K
//@ stock-fails: gcc because libgomp complains of the size
#include "check.h"

int main(void) {
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
        n++;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++) n++;
#pragma omp barrier
    }
    CHECK_EQ(n, omp_get_max_threads() + 10);
    return verdict();
}
