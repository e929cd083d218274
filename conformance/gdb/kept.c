// A thread takes a lock along to the end of the region; the primary thread waits for it.
#include <omp.h>

static omp_lock_t lock;

int main(void)
{
    omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1)
            omp_set_lock(&lock);
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            omp_set_lock(&lock);
    }
    return 0;
}
