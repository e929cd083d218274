// Target constructs with nowait and dependences on a host without devices: target tasks, ordered with other tasks and waited for like
// them. OpenMP 5.1, 2.14.5 (target), 2.12.6
//@ compilers: clang
#include "check.h"

int main(void) {
    int x = 1, y = 0, order[8] = {0};
    for (int round = 0; round < 5; round++) {
        x = 1;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : x) shared(x)
            x = 2;
#pragma omp target nowait depend(inout : x) map(tofrom : x)
            x *= 5;
#pragma omp target nowait depend(in : x) depend(out : y) map(to : x) map(from : y)
            y = x + 1;
#pragma omp task depend(in : y) shared(y)
            CHECK_EQ(y, 11);
#pragma omp taskwait
            CHECK_EQ(x, 10);
#pragma omp taskgroup
            for (int i = 0; i < 8; i++) {
#pragma omp target nowait map(tofrom : order[i])
                order[i]++;
            }
            for (int i = 0; i < 8; i++) CHECK_EQ(order[i], round + 1);
        }
#pragma omp target nowait map(tofrom : x)
        x++;
#pragma omp taskwait
        CHECK_EQ(x, 11);
#pragma omp target depend(inout : x) map(tofrom : x)
        x++;
        CHECK_EQ(x, 12);
    }
    return verdict();
}
