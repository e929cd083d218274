// A thread alone needs no memory for a doacross nest, however many iterations it has. It executes the first ones and exits.
// OpenMP 5.1, 2.19.9
//@ threads: 1
#include "check.h"

int main(void) {
    long last = -1;
#pragma omp parallel for ordered(3) schedule(dynamic) num_threads(1)
    for (long i = 0; i < 1L << 40; i++)
        for (long j = 0; j < 1L << 40; j++)
            for (long k = 0; k < 4; k++) {
#pragma omp ordered depend(sink : i, j, k - 1)
                long here = i * 100 + j * 4 + k;
                CHECK_EQ(here, last + 1);
                last = here;
                if (last == 40)
                    exit(verdict());
#pragma omp ordered depend(source)
            }
    return 1;
}
