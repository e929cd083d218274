// Explicit tasks in target regions: taskwait, taskgroup, dependences, taskloop, recursion. OpenMP 5.1, 2.12
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
static long fib(int n) {
    if (n < 2) return n;
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
#pragma omp end declare target

int main(void) {
    long f = 0, sum = 0;
    int chain = 1, loop[50] = {0}, counted = 0;
#pragma omp target parallel num_threads(3) map(tofrom : f, sum, chain, loop, counted)
#pragma omp single
    {
        f = fib(12);
        for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i)
            {
#pragma omp atomic
                sum += i;
            }
        }
#pragma omp task depend(out : chain)
        chain = 3;
#pragma omp task depend(inout : chain)
        chain *= 5;
#pragma omp task depend(inout : chain)
        chain += 1;
#pragma omp taskloop grainsize(4) shared(loop)
        for (int i = 0; i < 50; i++) loop[i] = i + 1;
#pragma omp taskgroup
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp atomic
                counted++;
            }
        }
        counted *= 10;
    }
    CHECK_EQ(f, 144);
    CHECK_EQ(sum, 780);
    CHECK_EQ(chain, 16);
    for (int i = 0; i < 50; i++) CHECK_EQ(loop[i], i + 1);
    CHECK_EQ(counted, 100);
    return verdict();
}
