// Four target tasks whose regions wait for each other: they end if the device runs them side by side. Then one that another depends on.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

enum { TASKS = 4, PATIENCE = 10000 };
#pragma omp declare target
int met = 0;
#pragma omp end declare target

int main(void) {
    int all[TASKS] = {0}, order = 0, sum = 0;
    for (int task = 0; task < TASKS; task++) {
#pragma omp target nowait map(tofrom : all[task])
        {
            int seen = 0;
#pragma omp atomic
            met++;
            for (int i = 0; i < PATIENCE && seen < TASKS; i++) {
                usleep(1000);
#pragma omp atomic read
                seen = met;
            }
            all[task] = seen;
        }
    }
#pragma omp target nowait depend(out : order) map(tofrom : order)
    {
        usleep(20000);
        order = 1;
    }
#pragma omp target nowait depend(inout : order) map(tofrom : order)
    order = order * 2 + 1;
#pragma omp taskwait
    for (int task = 0; task < TASKS; task++) sum += all[task];
    printf("met %d of %d, order %d\n", sum, TASKS * TASKS, order);
    return 0;
}
