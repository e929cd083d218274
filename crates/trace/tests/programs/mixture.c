// A little of everything whose amounts are known: the test counts what the trace says of it. An argument says how often.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void spin(double seconds) {
    double start = omp_get_wtime();
    while (omp_get_wtime() - start < seconds) {}
}

static void everything(void) {
    double sum = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(4) // 20 calls
        {
#pragma omp for schedule(dynamic, 8) reduction(+ : sum)
            for (int j = 0; j < 1000; j++) sum += j;
#pragma omp critical // 80 acquisitions
            spin(0.0001);
        }
    }
#pragma omp parallel num_threads(2) // 1 call
#pragma omp single
    {
        for (int i = 0; i < 50; i++) {
#pragma omp task // 50 tasks
            spin(0.0005);
        }
#pragma omp taskwait
    }
#pragma omp parallel num_threads(2) // 1 call
    {
        omp_set_lock(&lock); // 2 acquisitions
        spin(0.01);
        omp_unset_lock(&lock);
#pragma omp parallel num_threads(1) // 2 calls, nested
        spin(0.002);
    }
#pragma omp parallel if (0) // 1 call, serialised
    spin(0.003);
    omp_destroy_lock(&lock);
    printf("%g\n", sum);
}

int main(int argc, char **argv) {
    for (int times = argc > 1 ? atoi(argv[1]) : 1; times > 0; times--) everything();
    return 0;
}
