// Compute constructs run on the host, once for all gangs; what they compute is there afterwards, whatever queue they were for.
// OpenACC 2.6, 2.5, 2.9
//@ compilers: gcc
//@ needs: gcc 10
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>

enum { N = 1000 };

#pragma acc routine seq
static int twice(int x) { return 2 * x; }

int main(void) {
    int a[N], b[N], hits = 0, inside = 7, before = 5;
    long sum = 0, product = 0;
#pragma acc parallel loop gang worker vector copyout(a)
    for (int i = 0; i < N; i++) a[i] = twice(i);
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], 2 * i);

#pragma acc parallel loop reduction(+ : sum) reduction(max : product) copyin(a) num_gangs(4) vector_length(32)
    for (int i = 0; i < N; i++) {
        sum += a[i];
        product = a[i] > product ? a[i] : product;
    }
    CHECK_EQ(sum, N * (N - 1L));
    CHECK_EQ(product, 2 * (N - 1));

#pragma acc kernels copyin(a) copyout(b)
    {
#pragma acc loop independent
        for (int i = 0; i < N; i++) b[i] = a[i] + 1;
    }
    CHECK_EQ(b[N - 1], 2 * N - 1);

#pragma acc serial firstprivate(before) copy(hits, inside)
    {
        before += 1;
        inside = before;
        hits++;
    }
    CHECK_EQ(before, 5);
    CHECK_EQ(inside, 6);
    CHECK_EQ(hits, 1);

#pragma acc parallel if (0) copy(hits)
    hits += acc_on_device(acc_device_host);
    CHECK_EQ(hits, 2);

#pragma acc parallel loop async(3) copy(b)
    for (int i = 0; i < N; i++) b[i] *= 2;
#pragma acc parallel loop async(4) wait(3) copy(b)
    for (int i = 0; i < N; i++) b[i] += 1;
#pragma acc wait(3, 4)
#pragma acc wait
    for (int i = 0; i < N; i++) CHECK_EQ(b[i], 4 * i + 3);

    int counted = 0;
#pragma acc parallel loop copy(counted)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        counted++;
    }
    CHECK_EQ(counted, N);
    return verdict();
}
