// Untied tasks in all positions: a generator of very many tasks, trees with taskwaits, undeferred and final ones, with dependences, inside
// taskgroups. OpenMP 5.1, 2.12.1 (untied clause)
//@ stock-fails: clang because undeferred untied tasks end it with a failed assertion
#include "check.h"

static long count;

static void tree(int depth) {
    if (depth == 0) {
#pragma omp atomic
        count++;
        return;
    }
#pragma omp task untied
    tree(depth - 1);
#pragma omp task untied if (depth % 2)
    tree(depth - 1);
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task untied
        for (int i = 0; i < 20000; i++) {
#pragma omp task
            {
#pragma omp atomic
                count++;
            }
        }
    }
    CHECK_EQ(count, 20000);
    count = 0;
#pragma omp parallel
#pragma omp single
    tree(9);
    CHECK_EQ(count, 512);
    int chain = 0, included = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 30; i++) {
#pragma omp task untied depend(inout : chain) shared(chain)
            {
                int before = chain;
#pragma omp taskyield
                chain = before + 1;
            }
        }
#pragma omp taskgroup
        for (int i = 0; i < 5; i++) {
#pragma omp task untied final(1) shared(included)
            {
#pragma omp task untied shared(included)
                {
#pragma omp taskyield
#pragma omp atomic
                    included++;
                }
            }
        }
        CHECK_EQ(included, 5);
    }
    CHECK_EQ(chain, 30);
    return verdict();
}
