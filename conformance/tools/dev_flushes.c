// Two threads of a device flush, as often in all as the argument says; says how long one took.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) / 2 : 1000, done = 0;
    double seconds = 0;
#pragma omp target parallel num_threads(2) map(to : count) map(tofrom : seconds) reduction(+ : done, seconds)
    {
        double begin = omp_get_wtime();
        for (long i = 0; i < count; i++) {
#pragma omp flush
            done++;
        }
        seconds += omp_get_wtime() - begin;
    }
    fprintf(stderr, "ns %.1f\n", seconds / done * 1e9);
    printf("done %d\n", done == 2 * count);
    return 0;
}
