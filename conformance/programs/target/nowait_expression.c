// nowait with an expression, on target and on taskwait: whatever the expression says, the results are there after a taskwait without it.
// OpenMP 6.0, 17.6
//@ compilers: offload
//@ needs: offload 23
//@ flags: -fopenmp-version=60
//@ devices: 1
#include "device.h"

int main(int argc, char **argv) {
    (void)argv;
    for (int round = 0; round < 2; round++) {
        int x = 0, y = 0, no = argc > 100, yes = argc < 100;
#pragma omp parallel
#pragma omp single
        {
#pragma omp target nowait(yes) map(tofrom : x) depend(out : x)
            x = 5;
#pragma omp taskwait nowait(yes) depend(in : x)
#pragma omp task depend(in : x) shared(x, y)
            y = x + 1;
#pragma omp target nowait(no) map(tofrom : x) depend(inout : x)
            x++;
#pragma omp taskwait
        }
        CHECK_EQ(x, 6);
        CHECK_EQ(y, 6);
    }
    return verdict();
}
