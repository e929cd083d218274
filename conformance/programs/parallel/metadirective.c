// metadirective: the variant that the context selects is the construct. OpenMP 5.1, 2.3.4
//@ needs: gcc 15, clang 16
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), inside = 0, outside = 0;
#pragma omp metadirective when(user={condition(0)}: single) when(user={condition(1)}: parallel num_threads(3)) default(masked)
    {
#pragma omp atomic
        inside++;
    }
    CHECK_EQ(inside, 3);
#pragma omp metadirective when(construct={parallel}: barrier) when(device={kind(host)}: parallel) default(nothing)
    {
#pragma omp atomic
        outside++;
    }
    CHECK_EQ(outside, threads);
    return verdict();
}
