// A program for the example tools: two parallel regions of which the first takes longer, a task, a critical section, and a lock
// that threads wait for.
#include <omp.h>
#include <unistd.h>

int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2) // LONG
        {
#pragma omp critical(quick)
            __asm__ volatile("" ::: "memory");
            usleep(2000);
        }
    }
#pragma omp parallel num_threads(3) // SHORT
    {
#pragma omp single
#pragma omp task
        __asm__ volatile("" ::: "memory");
        omp_set_lock(&lock);
        usleep(2000);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return 0;
}
