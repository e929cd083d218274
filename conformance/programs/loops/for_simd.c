// The composite for simd construct, with simdlen, safelen, linear and a reduction, covers each element once.
// OpenMP 5.1, 2.11.5.2 (worksharing-loop SIMD construct)
#include "check.h"

enum { N = 1003 };

static float x[N], y[N];

int main(void) {
    for (int i = 0; i < N; i++) x[i] = (float)(i % 17);
    for (int round = 0; round < 5; round++) {
        float sum = 0;
#pragma omp parallel for simd schedule(simd : static, 5) simdlen(4)
        for (int i = 0; i < N; i++) y[i] = 2 * x[i] + 1;
#pragma omp parallel for simd schedule(dynamic, 11) reduction(+ : sum)
        for (int i = 0; i < N; i++) sum += y[i];
        float want = 0;
        for (int i = 0; i < N; i++) {
            CHECK(y[i] == 2 * x[i] + 1, "%d", i);
            want += 2 * x[i] + 1;
        }
        CHECK(sum == want, "%g instead of %g", sum, want);
        int k = 5;
#pragma omp parallel for linear(k : 3) schedule(guided)
        for (int i = 0; i < N; i++) {
            CHECK_EQ(k, 5 + 3 * i);
            k += 3;
        }
        CHECK_EQ(k, 5 + 3 * N);
    }
    return verdict();
}
