// Monte-Carlo estimate of pi with a generator seeded by sample number: the count is the same at any thread count.
// OpenMP 5.1, 2.21.5
#include "check.h"

static unsigned next(unsigned long *state) {
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(*state >> 33);
}

static long sample(long block) {
    unsigned long state = (unsigned long)block * 0x9e3779b97f4a7c15ul + 1;
    long inside = 0;
    for (int i = 0; i < 100; i++) {
        double x = next(&state) / 2147483648.0, y = next(&state) / 2147483648.0;
        inside += x * x + y * y < 1;
    }
    return inside;
}

int main(void) {
    long blocks = 500, serial = 0, plain = 0, dynamic = 0, tasks = 0;
    for (long b = 0; b < blocks; b++) serial += sample(b);
#pragma omp parallel for reduction(+ : plain)
    for (long b = 0; b < blocks; b++) plain += sample(b);
#pragma omp parallel for reduction(+ : dynamic) schedule(nonmonotonic : dynamic, 3)
    for (long b = blocks; b > 0; b--) dynamic += sample(b - 1);
#pragma omp parallel
#pragma omp single
    for (long b = 0; b < blocks; b += 20) {
#pragma omp task shared(tasks)
        {
            long own = 0;
            for (long k = b; k < b + 20; k++) own += sample(k);
#pragma omp atomic
            tasks += own;
        }
    }
    CHECK_EQ(plain, serial);
    CHECK_EQ(dynamic, serial);
    CHECK_EQ(tasks, serial);
    double pi = 4.0 * (double)serial / (double)(blocks * 100);
    CHECK(pi > 3.1 && pi < 3.18, "%g", pi);
    return verdict();
}
