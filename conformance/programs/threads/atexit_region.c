// A handler registered with atexit may still open regions.
// OpenMP 5.1, 2.6
#include "check.h"

static int want;

static int count(void) {
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
        n++;
#pragma omp for
        for (int i = 0; i < 10; i++) n++;
    }
    return n;
}

static void handler(void) {
    CHECK_EQ(count(), want + 10);
    if (verdict() != 0) _Exit(1);
}

int main(void) {
    want = omp_get_max_threads();
    CHECK_EQ(count(), want + 10);
    atexit(handler);
    return 0;
}
