// Target constructs on the devices that the argument says, as often as it says: `dev_work [times] [devices]`. Commands to the tool
// around them, if it is to pause.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

// gcc 12 has it in no header.
extern int omp_control_tool(int command, int modifier, void *argument);

enum { LENGTH = 1000 };

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 1, devices = argc > 2 ? atoi(argv[2]) : 1;
    int commands = argc > 3;
    double a[LENGTH];
    double sum = 0;
    for (int i = 0; i < LENGTH; i++) a[i] = i;
    if (commands) {
        // The device is there after this. Paused from its begin; what happens now is not recorded.
#pragma omp target map(tofrom : a)
        a[0] += 0;
        printf("control %d\n", omp_control_tool(3, 0, NULL));
    }
    for (int round = 0; round < times; round++) {
        for (int device = 0; device < devices; device++) {
#pragma omp target map(tofrom : a) device(device)
            a[0] += 1;
#pragma omp target teams distribute parallel for map(tofrom : a) reduction(+ : sum) num_teams(2) thread_limit(3) device(device)
            for (int i = 0; i < LENGTH; i++) sum += a[i];
#pragma omp target map(tofrom : a) device(device)
            {
#pragma omp parallel num_threads(2)
                {
#pragma omp single
                    {
#pragma omp task depend(out : a[0])
                        a[0] += 1;
#pragma omp task depend(in : a[0])
                        a[1] += 1;
                    }
#pragma omp critical
                    a[2] += 1;
#pragma omp for schedule(dynamic, 100)
                    for (int i = 10; i < LENGTH; i++) a[i] += 1;
                }
            }
#pragma omp target nowait map(tofrom : a) device(device)
            a[3] += 1;
#pragma omp taskwait
        }
    }
    if (commands) {
        omp_control_tool(2, 0, NULL);
#pragma omp target map(tofrom : a)
        a[0] += 0;
        omp_control_tool(4, 0, NULL);
        printf("flushed\n");
        fflush(stdout);
        omp_control_tool(5, 0, NULL);
        omp_control_tool(1, 0, NULL);
#pragma omp target map(tofrom : a)
        a[0] += 0;
        omp_control_tool(5, 0, NULL);
    }
    printf("done %d\n", a[2] == 2 + 2 * times * devices);
    return 0;
}
