// Tasks, taskwait, taskgroup, taskloop and dependences outside any parallel region and in teams of one.
// OpenMP 5.1, 2.12.1
#include "check.h"

static void work(void) {
    int a = 0, sum = 0;
#pragma omp task shared(a)
    a = 1;
#pragma omp taskwait
    CHECK_EQ(a, 1);
#pragma omp taskgroup
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
            {
#pragma omp task shared(sum)
                sum++;
                sum++;
            }
        }
    }
    CHECK_EQ(sum, 20);
#pragma omp taskloop shared(sum) grainsize(2)
    for (int i = 0; i < 9; i++) sum++;
    CHECK_EQ(sum, 29);
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : a) shared(a) untied
        a = a * 2 % 1000;
    }
#pragma omp taskwait
    CHECK_EQ(a, 24);
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        work();
#pragma omp parallel num_threads(1)
        work();
#pragma omp parallel if (0)
        work();
    }
    return verdict();
}
