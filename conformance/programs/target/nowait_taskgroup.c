// taskgroup waits for target tasks of its own and of its descendants. OpenMP 5.1, 2.19.6
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[40] = {0}, inside = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < 20; i++) {
                int *p = &a[i];
#pragma omp target nowait map(tofrom : p[0 : 1]) firstprivate(i)
                p[0] = i;
            }
            for (int i = 20; i < 40; i++) {
                int *p = &a[i];
#pragma omp task firstprivate(i, p)
                {
#pragma omp target nowait map(tofrom : p[0 : 1]) firstprivate(i)
                    p[0] = i;
                }
            }
        }
        for (int i = 0; i < 40; i++) inside += a[i] == i;
    }
    CHECK_EQ(inside, 40);
    return verdict();
}
