// order(concurrent) on loops, distributed and shared out, with a schedule and with a reduction. OpenMP 5.1, 2.11.3
//@ needs: gcc 10
#include "check.h"

enum { COUNT = 1000 };

static int squares[COUNT];

int main(void) {
#pragma omp parallel for order(concurrent)
    for (int i = 0; i < COUNT; i++) squares[i] = i * i;
#pragma omp parallel for order(reproducible : concurrent) schedule(static, 7)
    for (int i = 0; i < COUNT; i++) squares[i]++;
#pragma omp parallel
    {
#pragma omp for order(unconstrained : concurrent) schedule(dynamic, 5)
        for (int i = 0; i < COUNT; i++) squares[i]++;
    }
    long sum = 0, wanted = 0;
#pragma omp parallel for simd order(concurrent) reduction(+ : sum)
    for (int i = 0; i < COUNT; i++) sum += squares[i];
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQ(squares[i], i * i + 2);
        wanted += i * i + 2;
    }
    CHECK_EQ(sum, wanted);
#pragma omp teams distribute parallel for order(concurrent) num_teams(3)
    for (int i = 0; i < COUNT; i++) squares[i] = -i;
    for (int i = 0; i < COUNT; i++) CHECK_EQ(squares[i], -i);
    return verdict();
}
