// A thread of the program's own that never opens a region may still call any routine, lock, critical, atomic and task.
// OpenMP 5.1, 1.2.1
//@ threads: 1 2
#include <pthread.h>

#include "check.h"

static omp_lock_t lock;
static int counter, criticals, order;

static void *run(void *argument) {
    (void)argument;
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    for (int i = 0; i < 50; i++) {
        omp_set_lock(&lock);
        counter++;
        omp_unset_lock(&lock);
#pragma omp critical
        criticals++;
#pragma omp barrier
#pragma omp single
        {
#pragma omp atomic
            order++;
        }
#pragma omp task
        {
#pragma omp atomic
            order++;
        }
#pragma omp taskwait
    }
    return NULL;
}

int main(void) {
    omp_init_lock(&lock);
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) CHECK_EQ(pthread_create(&threads[i], NULL, run, NULL), 0);
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
        omp_set_lock(&lock);
        counter++;
        omp_unset_lock(&lock);
#pragma omp critical
        criticals++;
    }
    for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
    CHECK_EQ(counter, 50 * (6 + omp_get_max_threads()));
    CHECK_EQ(criticals, 50 * (6 + omp_get_max_threads()));
    CHECK_EQ(order, 600);
    return verdict();
}
