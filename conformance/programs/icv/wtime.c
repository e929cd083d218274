// omp_get_wtime does not run backwards on any thread, counts in seconds, and omp_get_wtick is a plausible resolution.
// OpenMP 5.1, 3.10 (timing routines)
#include <time.h>

#include "check.h"

int main(void) {
    double tick = omp_get_wtick();
    CHECK(tick > 0 && tick <= 1, "%g", tick);
#pragma omp parallel
    {
        double last = omp_get_wtime();
        for (int i = 0; i < 500; i++) {
            double now = omp_get_wtime();
            CHECK(now >= last, "%.9f before %.9f", now, last);
            last = now;
        }
    }
    // Two clocks that both count seconds; the second is read outside the first at both ends.
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    double start = omp_get_wtime();
    struct timespec nap = {0, 20000000};
    nanosleep(&nap, NULL);
    double took = omp_get_wtime() - start;
    clock_gettime(CLOCK_MONOTONIC, &after);
    double outside = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9;
    CHECK(took > 0.015 && took < outside + 0.01, "%g of %g", took, outside);
    return verdict();
}
