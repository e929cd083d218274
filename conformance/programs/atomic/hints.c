// The hint clause of atomic, every kind of hint: it says how to wait, not what happens. OpenMP 5.1, 2.19.7, 2.19.12
//@ needs: clang 16
#include "check.h"

int main(void) {
    int a = 0, b = 0, c = 0, d = 0, threads = omp_get_max_threads();
    double real = 0;
#pragma omp parallel
    for (int i = 0; i < 40; i++) {
        int got;
#pragma omp atomic hint(omp_sync_hint_none)
        a++;
#pragma omp atomic update hint(omp_sync_hint_uncontended)
        b += 2;
#pragma omp atomic capture hint(omp_sync_hint_contended | omp_sync_hint_nonspeculative)
        got = c++;
        CHECK(got >= 0 && got < 40 * threads, "%d", got);
#pragma omp atomic hint(omp_sync_hint_speculative) seq_cst
        d--;
#pragma omp atomic relaxed hint(omp_sync_hint_contended)
        real = real + 0.5;
#pragma omp atomic read hint(omp_sync_hint_uncontended)
        got = a;
        CHECK(got > 0, "%d", got);
#pragma omp atomic write hint(omp_sync_hint_none)
        got = 1;
    }
    CHECK_EQ(a, 40 * threads);
    CHECK_EQ(b, 80 * threads);
    CHECK_EQ(c, 40 * threads);
    CHECK_EQ(d, -40 * threads);
    CHECK(real == 20 * threads, "%g", real);
    return verdict();
}
