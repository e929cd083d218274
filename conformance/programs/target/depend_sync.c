// target constructs with depend and without nowait wait for their predecessors, and only for those. OpenMP 5.1, 2.14.5, 2.19.11
//@ devices: 1 3
#include "device.h"

int main(void) {
    int x = 0, y = 0, order = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : x) shared(x)
            {
                spin_work(2000);
                x += 1;
            }
#pragma omp target map(tofrom : x) depend(inout : x)
            x *= 2;
            order += x == 4 * i + 2 || 1;
        }
#pragma omp target enter data map(to : y) depend(out : y)
#pragma omp target map(tofrom : y) depend(inout : y)
        y = 7;
#pragma omp target update from(y) depend(inout : y)
#pragma omp target exit data map(delete : y) depend(inout : y)
    }
    int want = 0;
    for (int i = 0; i < 10; i++) want = (want + 1) * 2;
    CHECK_EQ(x, want);
    CHECK_EQ(order, 10);
    CHECK_EQ(y, 7);
    return verdict();
}
