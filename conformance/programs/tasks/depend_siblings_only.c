// Dependences bind siblings only: tasks of different parents on one address are not ordered, and a parent's completion does
// not need its dependent children's. Long chains from several threads at once. OpenMP 5.1, 2.19.11
#include "check.h"

int main(void) {
    int shared_address = 0, threads = omp_get_max_threads(), total = 0;
#pragma omp parallel
    {
        int mine = 0;
        for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : shared_address) shared(mine, total) firstprivate(i)
            {
                CHECK_EQ(mine, i);
                mine++;
#pragma omp task depend(inout : shared_address) shared(total)
                {
#pragma omp atomic
                    total++;
                }
            }
        }
#pragma omp taskwait
        CHECK_EQ(mine, 40);
#pragma omp barrier
        CHECK_EQ(total, 40 * threads);
    }
    return verdict();
}
