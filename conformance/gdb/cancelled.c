// A region that is cancelled: two threads have left it from a barrier, one without coming to that, the last one works.
#include "rest.h"
#include <omp.h>

static volatile int stopped;
static int past; // Threads that have the first barrier behind them.

__attribute__((noinline)) static void stop(void)
{
    stopped++;
}

int main(void)
{
    stopped = 0; // A debugger's `start` stops here, before the region.
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
#pragma omp barrier
#pragma omp atomic
        past++;
        if (me == 2) {
            others_rest(3);
            stop();
        } else {
            if (me == 1) {
                for (int now = 0; now < 4; usleep(1000)) {
#pragma omp atomic read
                    now = past;
                }
#pragma omp cancel parallel
            }
#pragma omp barrier
        }
    }
    return 0;
}
