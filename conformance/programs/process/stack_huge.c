// Stacks that are larger than the address space: no thread can be had, the regions run with one thread, and one line says so.
// OpenMP 5.1, 6.6 (OMP_STACKSIZE)
//@ env: OMP_STACKSIZE=400T
//@ threads: 2 8
//@ stock-fails: gcc because libgomp ends the program
//@ stock-fails: clang because libomp ends the program
//@ expect-stderr: ferromp: cannot create a thread
#include "check.h"

int main(void) {
    for (int round = 0; round < 5; round++) {
        int n = 0;
#pragma omp parallel reduction(+ : n)
        {
            n++;
            CHECK_EQ(omp_get_num_threads(), 1);
#pragma omp barrier
        }
        CHECK_EQ(n, 1);
    }
    return verdict();
}
