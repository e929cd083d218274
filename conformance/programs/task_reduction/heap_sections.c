// Sections of memory behind a pointer as list items, of a length known only at run time, and tasks that pass them on to functions.
// OpenMP 5.1, 2.21.5 (reduction clauses), 2.1.5 (array sections)
//@ compilers: gcc
#include "check.h"

static void add(long *from, int count, int depth) {
#pragma omp task in_reduction(+ : from[0 : count])
    {
        for (int i = 0; i < count; i++) from[i] += 1;
        if (depth > 0) {
            add(from, count, depth - 1);
            add(from, count, depth - 1);
        }
    }
}

int main(void) {
    int n = 2000;
    long *heap = malloc(n * sizeof *heap);
    for (int i = 0; i < n; i++) heap[i] = i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : heap[10 : n - 20])
        {
            add(heap + 10, n - 20, 3);
#pragma omp taskgroup task_reduction(+ : heap[3])
#pragma omp task in_reduction(+ : heap[3])
            heap[3] += 5;
        }
    }
    for (int i = 0; i < n; i++) CHECK_EQ(heap[i], i + (i >= 10 && i < n - 10 ? 15 : i == 3 ? 5 : 0));
    free(heap);
    return verdict();
}
