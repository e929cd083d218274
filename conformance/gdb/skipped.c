// One thread leaves a loop too early, and with it two barriers: it waits at the end of the region, the others in the loop.
#include <omp.h>

int main(void)
{
#pragma omp parallel num_threads(4)
    for (int step = 0; step < 3; step++) {
        if (step == 1 && omp_get_thread_num() == 2)
            break;
#pragma omp barrier
    }
    return 0;
}
