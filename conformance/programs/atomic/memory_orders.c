// The memory-order clauses seq_cst, acq_rel, acquire, release and relaxed on each form of atomic.
// OpenMP 5.1, 2.19.7
#include "check.h"

int main(void) {
    int a = 0, b = 0, c = 0, d = 0, threads = omp_get_max_threads();
#pragma omp parallel
    for (int i = 0; i < 40; i++) {
        int v;
#pragma omp atomic update seq_cst
        a++;
#pragma omp atomic relaxed
        b += 2;
#pragma omp atomic capture acq_rel
        v = ++c;
        CHECK(v > 0 && v <= 40 * threads, "%d", v);
#pragma omp atomic update release
        d -= 1;
#pragma omp atomic read acquire
        v = d;
        CHECK(v <= 0, "%d", v);
#pragma omp atomic write seq_cst
        v = 3;
        CHECK_EQ(v, 3);
    }
    CHECK_EQ(a, 40 * threads);
    CHECK_EQ(b, 80 * threads);
    CHECK_EQ(c, 40 * threads);
    CHECK_EQ(d, -40 * threads);
    return verdict();
}
