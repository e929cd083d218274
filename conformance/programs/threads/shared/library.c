// A library that uses OpenMP, loaded and unloaded by dlopen_dlclose.c.
#include <omp.h>

static int calls;
#pragma omp threadprivate(calls)

int library_sum(int n, int *threads) {
    int sum = 0, size = 0;
#pragma omp parallel reduction(+ : sum, size)
    {
        size++;
        calls++;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++) sum += i;
#pragma omp critical(library)
        sum += 0;
#pragma omp single
        {
#pragma omp task
            calls += 0;
        }
    }
    *threads = size;
    return sum;
}
