// The affinity clause is a hint: tasks with it run as others do, whatever the list items and iterators. OpenMP 5.1, 2.12.1 (affinity)
//@ needs: gcc 12
#include "check.h"

enum { N = 64 };

int main(void) {
    static double field[N][16];
    int n = N, ran = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task affinity(field[i]) firstprivate(i)
        for (int j = 0; j < 16; j++) field[i][j] += i;
#pragma omp task affinity(iterator(int k = 0 : n) : field[k]) affinity(field[0 : 2]) depend(in : field[i]) shared(ran)
        {
#pragma omp atomic
            ran++;
        }
    }
    for (int i = 0; i < N; i++) CHECK_EQ(field[i][7], i);
    CHECK_EQ(ran, N);
    return verdict();
}
