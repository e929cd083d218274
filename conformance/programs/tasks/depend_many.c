// Tasks with one to sixty-four dependences, including repeated addresses and mixed kinds, behind one writer each time.
// OpenMP 5.1, 2.19.11; iterators: 2.1.6
#include "check.h"

enum { N = 64 };

static int cell[N], sum;

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int round = 1; round <= 6; round++) {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(out : cell[i]) firstprivate(i, round)
            cell[i] = round * (i + 1);
        }
#pragma omp task depend(iterator(int k = 0 : N), in : cell[k]) firstprivate(round)
        {
            int total = 0;
            for (int k = 0; k < N; k++) total += cell[k];
            CHECK_EQ(total, round * N * (N + 1) / 2);
            sum += total;
        }
#pragma omp task depend(in : cell[3], cell[3]) depend(inout : cell[3]) depend(in : cell[4]) firstprivate(round)
        {
            CHECK_EQ(cell[3], round * 4);
            CHECK_EQ(cell[4], round * 5);
            cell[3] = 0;
        }
#pragma omp taskwait depend(in : cell[3])
        CHECK_EQ(cell[3], 0);
#pragma omp task depend(iterator(int k = 0 : N : 2), inout : cell[k])
        for (int k = 0; k < N; k += 2) cell[k] = -1;
#pragma omp task depend(iterator(int k = 0 : N), in : cell[k])
        for (int k = 0; k < N; k++) CHECK(k == 3 || (cell[k] == -1) == (k % 2 == 0), "%d: %d", k, cell[k]);
    }
    CHECK_EQ(sum, 21 * N * (N + 1) / 2);
    return verdict();
}
