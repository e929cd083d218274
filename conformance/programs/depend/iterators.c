// Dependences on many locations at once, by iterators: a task waits for all of a row of tasks, or lets all of them go.
// OpenMP 5.1, 2.1.6 (iterators), 2.19.11 (depend clause)
#include "check.h"

enum { N = 24 };

int main(void) {
    for (int round = 0; round < 10; round++) {
        int cell[N] = {0}, n = N, total[1] = {0};
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(iterator(i = 0 : n), out : cell[i]) shared(cell)
            {
                spin_work(2000);
                for (int i = 0; i < N; i++) cell[i] = 1;
            }
            for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : cell[i]) shared(cell)
                {
                    CHECK_EQ(cell[i], 1);
                    cell[i] = i;
                }
            }
#pragma omp task depend(iterator(int i = 0 : n : 2, j = 0 : 2), in : cell[i + j]) shared(cell, total)
            for (int i = 0; i < N; i++) {
                CHECK_EQ(cell[i], i);
                total[0] += cell[i];
            }
#pragma omp task depend(iterator(i = n - 1 : -1 : -1), inout : cell[i]) shared(cell, total)
            {
                CHECK_EQ(total[0], N * (N - 1) / 2);
                cell[0] = 100;
            }
        }
        CHECK_EQ(cell[0], 100);
    }
    return verdict();
}
