// Two threads a device use all devices at once: `dev_together [times] [devices]`. Every second region is not waited for.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 1, devices = argc > 2 ? atoi(argv[2]) : 2;
    int wrong = 0;
#pragma omp parallel num_threads(2 * devices) reduction(+ : wrong)
    {
        int device = omp_get_thread_num() % devices, count = 0, other = 0;
        for (int i = 0; i < times; i++) {
#pragma omp target map(tofrom : count) device(device)
            count += omp_get_device_num() == device;
#pragma omp target map(tofrom : other) device(device) nowait
            other += omp_get_device_num() == device;
#pragma omp taskwait
        }
        wrong += count != times || other != times;
    }
    printf("done %d\n", wrong == 0);
    return 0;
}
