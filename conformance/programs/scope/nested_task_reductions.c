// Scope regions with task reductions inside one another, and a worksharing construct in them: tasks find the copies of each, also
// where the team has one thread. OpenMP 5.1, 2.10, 2.21.5
//@ compilers: gcc
//@ stock-fails: gcc because it hangs at times at the third such region with three threads
//@ needs: gcc 12
#include "check.h"

static long sum, product = 1, bits;

static void task(int i) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) in_reduction(| : bits) firstprivate(i)
    {
        sum += i;
        product *= i % 5 == 0 ? 2 : 1;
        bits |= 1L << i;
    }
}

static void work(void) {
#pragma omp scope reduction(task, + : sum)
    {
#pragma omp scope reduction(task, * : product)
        {
            for (int again = 0; again < 2; again++) {
#pragma omp scope reduction(task, | : bits)
                {
#pragma omp for
                    for (int i = again * 15; i < again * 15 + 15; i++) {
                        task(i);
                        sum += 1;
                    }
                }
            }
        }
    }
}

static void check(void) {
    CHECK_EQ(sum, 30 * 29 / 2 + 30);
    CHECK_EQ(product, 1 << 6);
    CHECK_EQ(bits, (1L << 30) - 1);
    sum = bits = 0;
    product = 1;
}

int main(void) {
    work();
    check();
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        work();
        check();
    }
    return verdict();
}
