// Regions in recursive functions and behind function pointers; results return through pointers to the caller's stack.
// OpenMP 5.1, 2.6
#include "check.h"

static int sum_to(int n) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i <= n; i++) sum += i;
    return n == 0 ? 0 : sum + sum_to(n - 1);
}

static void square(int *x) {
#pragma omp parallel
    {
#pragma omp single
        *x = *x * *x;
    }
}

static void negate(int *x) {
#pragma omp parallel
#pragma omp master
    *x = -*x;
}

int main(void) {
    void (*steps[])(int *) = {square, negate, square, negate};
    int x = 3;
    for (int i = 0; i < 4; i++) steps[i](&x);
    CHECK_EQ(x, -81);
    CHECK_EQ(sum_to(12), 364);
    return verdict();
}
