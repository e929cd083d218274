// OpenACC and OpenMP in one program: threads of a team have compute regions and data regions of their own, and a compute region may hold
// a parallel region. OpenACC 2.6, 2.3
//@ compilers: gcc
//@ needs: gcc 10
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>

enum { N = 400 };
static int inner(int *a) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += a[i];
    return sum;
}

// What a thread of a team computes by itself.
static void work(const int *a, int *mine, int add) {
#pragma acc data copyin(a[0 : N]) create(mine[0 : N])
    {
#pragma acc parallel loop present(a[0 : N], mine[0 : N])
        for (int i = 0; i < N; i++) mine[i] = a[i] + add;
#pragma acc update self(mine[0 : N]) async(add)
#pragma acc wait
    }
}
static int one(void) {
    int x = 0;
#pragma acc serial copy(x)
    x += 1;
    return x;
}
int main(void) {
    int a[N], total = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = 1;
#pragma omp parallel reduction(+ : total)
    {
        int mine[N];
        work(a, mine, omp_get_thread_num());
        for (int i = 0; i < N; i++) CHECK_EQ(mine[i], 1 + omp_get_thread_num());
        total += mine[0] - omp_get_thread_num();
#pragma omp task
        CHECK_EQ(one(), 1);
    }
    CHECK(total >= 1 && total <= omp_get_max_threads(), "%d", total);
    int sum = 0, (*nested)(int *) = inner;
#pragma acc serial copy(sum) copyin(a)
    sum = nested(a);
    CHECK_EQ(sum, N);
#pragma omp target map(tofrom : sum)
    sum++;
    CHECK_EQ(sum, N + 1);
    return verdict();
}
