// A region on a device, which one thread of a region on the host has encountered; the host is the device.
#pragma omp declare target
#include "rest.h"
#include <omp.h>

static volatile int stopped;

__attribute__((noinline)) static void stop(void)
{
    others_rest(2);
    stopped++;
}
#pragma omp end declare target

int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp target map(tofrom : n)
#pragma omp parallel num_threads(2)
            {
                if (omp_get_thread_num() == 1)
                    stop();
#pragma omp barrier
#pragma omp atomic
                n++;
            }
        }
    }
    return n != 2;
}
