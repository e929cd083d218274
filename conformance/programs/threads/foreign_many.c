// Many threads of the program's own open regions at the same time, each a team of its own with its own numbering.
// OpenMP 5.1, 1.2.1 (each initial thread), 2.6
//@ threads: 1 2 3
#include <pthread.h>

#include "check.h"

static int want;
static long total;

static void *run(void *argument) {
    (void)argument;
    for (int round = 0; round < 10; round++) {
        int seen[8] = {0}, sum = 0;
        CHECK_EQ(omp_get_level(), 0);
        CHECK_EQ(omp_get_thread_num(), 0);
#pragma omp parallel reduction(+ : sum)
        {
            CHECK_EQ(omp_get_num_threads(), want);
            seen[omp_get_thread_num()]++;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 20; i++) sum += i;
#pragma omp single
            {
#pragma omp task
                {
#pragma omp atomic
                    total++;
                }
            }
        }
        CHECK_EQ(sum, 190);
        for (int i = 0; i < want; i++) CHECK_EQ(seen[i], 1);
    }
    return NULL;
}

int main(void) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    want = omp_get_max_threads();
    for (int i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, run, NULL), 0);
    run(NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    CHECK_EQ(total, 10 * (THREADS + 1));
    return verdict();
}
