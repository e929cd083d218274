// private, firstprivate, lastprivate and reduction on sections; sections outside any region run in order on one thread.
// OpenMP 5.1, 2.10.1
#include "check.h"

static int order[4], next;

static void orphan(void) {
#pragma omp sections
    {
#pragma omp section
        order[0] = next++;
#pragma omp section
        order[1] = next++;
#pragma omp section
        order[2] = next++;
    }
}

int main(void) {
    orphan();
    for (int i = 0; i < 3; i++) CHECK_EQ(order[i], i);
    for (int round = 0; round < 20; round++) {
        int first = 5, last = 0, product = 1, hidden = 77;
#pragma omp parallel
        {
#pragma omp sections firstprivate(first) lastprivate(last) reduction(* : product) private(hidden)
            {
#pragma omp section
                {
                    CHECK(first >= 5, "%d", first);
                    hidden = 1, product *= 2, last = hidden;
                }
#pragma omp section
                {
                    CHECK(first >= 5, "%d", first);
                    hidden = 2, product *= 3, last = hidden;
                }
#pragma omp section
                {
                    CHECK(first >= 5, "%d", first);
                    hidden = 3, product *= 5, last = hidden;
                }
            }
            CHECK_EQ(product, 30);
            CHECK_EQ(last, 3);
        }
        CHECK_EQ(first, 5);
        CHECK_EQ(hidden, 77);
    }
    return verdict();
}
