// assume around code that runs in a team: the code is executed as without it. OpenMP 5.1, 2.5.2
//@ needs: clang 21, gcc 15
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), total = 0;
#pragma omp parallel
    {
#pragma omp assume no_parallelism holds(threads > 0)
        {
#pragma omp atomic
            total += 10;
        }
    }
    CHECK_EQ(total, threads * 10);
    return verdict();
}
