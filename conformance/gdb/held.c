// One thread takes a lock with it to a barrier, which another one cannot reach because it waits for the lock.
#include "rest.h"
#include <omp.h>

static omp_nest_lock_t lock;
static int taken;

int main(void)
{
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_nest_lock(&lock);
#pragma omp atomic write
            taken = 1;
        }
        if (omp_get_thread_num() == 1) {
            int seen = 0;
            while (!seen) {
                usleep(100);
#pragma omp atomic read
                seen = taken;
            }
            omp_set_nest_lock(&lock);
        }
#pragma omp barrier
    }
    return 0;
}
