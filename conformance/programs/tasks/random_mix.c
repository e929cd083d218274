// A random program of tasks: children deferred or not, tied or not, final, dependent, in taskgroups, with taskyields; it must
// count exactly the leaves that a serial run of the same random choices counts. OpenMP 5.1, 2.12
//@ stock-fails: clang because libomp hangs now and then when untied tasks wait in taskgroups
#include "check.h"

static long leaves;

static unsigned mix(unsigned x) {
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}

static long count(unsigned seed, int depth) {
    if (depth == 0) return 1 + seed % 7;
    long sum = 0;
    int n = 1 + (int)(seed % 4);
    for (int i = 0; i < n; i++) sum += count(mix(seed + (unsigned)i), depth - 1);
    return sum;
}

static void grow(unsigned seed, int depth) {
    if (depth == 0) {
#pragma omp atomic
        leaves += 1 + seed % 7;
        return;
    }
    int n = 1 + (int)(seed % 4), token = 0;
    for (int i = 0; i < n; i++) {
        unsigned child = mix(seed + (unsigned)i);
        switch (child % 6) {
        case 0:
#pragma omp task
            grow(child, depth - 1);
            break;
        case 1:
#pragma omp task untied
            {
#pragma omp taskyield
                grow(child, depth - 1);
            }
            break;
        case 2:
#pragma omp task if (0)
            grow(child, depth - 1);
            break;
        case 3:
#pragma omp task final(depth < 3) mergeable
            grow(child, depth - 1);
            break;
        case 4:
#pragma omp task depend(inout : token)
            grow(child, depth - 1);
            break;
        default:
#pragma omp taskgroup
            {
#pragma omp task
                grow(child, depth - 1);
            }
        }
    }
    if (seed % 3 == 0) {
#pragma omp taskwait
    }
    (void)token;
}

int main(void) {
    for (unsigned seed = 1; seed <= 4; seed++) {
        leaves = 0;
#pragma omp parallel
        {
#pragma omp single
            grow(mix(seed) | 3, 6);
        }
        CHECK_EQ(leaves, count(mix(seed) | 3, 6));
    }
    return verdict();
}
