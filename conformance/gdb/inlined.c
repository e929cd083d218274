// A region whose code begins with that of another function, where the compiler optimises.
#include "rest.h"

static volatile int counts[2];

static inline int first(const volatile int *counts)
{
    return counts[0] + counts[1];
}

int main(void)
{
    make_gate();
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < first(counts) + 2; i++)
        wait_at_gate();
    return 0;
}
