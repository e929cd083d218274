// Target tasks of a cancelled taskgroup that have not begun are discarded; those that have run to their end. OpenMP 5.1, 2.20
//@ devices: 1 3
//@ env: OMP_CANCELLATION=true
#include "device.h"

int main(void) {
    int ran[40], started = 0;
    FILL(ran, 40, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < 40; i++) {
                int *p = &ran[i];
                if (i == 20) {
#pragma omp task
                    {
#pragma omp cancel taskgroup
                    }
                }
#pragma omp target nowait map(tofrom : p[0 : 1]) depend(inout : ran)
                p[0] += 1;
            }
        }
        for (int i = 0; i < 40; i++) {
            CHECK(ran[i] == 0 || ran[i] == 1, "%d times", ran[i]);
            started += ran[i];
        }
        CHECK(started <= 40, "%d", started);
        int after = 0;
#pragma omp target nowait map(tofrom : after)
        after = 1;
#pragma omp taskwait
        CHECK_EQ(after, 1);
    }
    return verdict();
}
