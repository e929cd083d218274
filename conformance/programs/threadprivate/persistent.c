// Threadprivate variables keep their values from region to region of equal size, with initialisers, and differ by thread.
// OpenMP 5.1, 2.21.2 (threadprivate directive)
#include "check.h"

static int counter = 100;
static double table[20] = {1, 2, 3};
int exported = 7;
#pragma omp threadprivate(counter, table, exported)

int main(void) {
    int threads = omp_get_max_threads();
    static int *where[64];
    for (int round = 0; round < 12; round++) {
#pragma omp parallel
        {
            static int local = 5;
#pragma omp threadprivate(local)
            int me = omp_get_thread_num();
            CHECK_EQ(counter, 100 + round * (me + 1));
            CHECK_EQ(local, 5 + round);
            CHECK(table[1] == 2 && table[2] == 3 && table[19] == round, "%g", table[19]);
            counter += me + 1;
            local++;
            table[19]++;
            exported = me;
            if (round == 0) where[me] = &counter;
            CHECK(where[me] == &counter, "moved");
#pragma omp barrier
            CHECK_EQ(exported, me);
        }
    }
    CHECK_EQ(counter, 112);
    for (int a = 0; a < threads; a++)
        for (int b = 0; b < a; b++) CHECK(where[a] != where[b], "%d and %d share", a, b);
    return verdict();
}
