// Inclusive and exclusive scans in worksharing and SIMD loops, with user-sized data, chunk-free and in parts, also of one element.
// clang 19 compiles programs that fail under its own runtime too. OpenMP 5.1, 2.11.8 (scan directive)
//@ compilers: gcc
//@ needs: gcc 10
#include "check.h"

enum { N = 517 };

static int a[N], up[N], before[N];

int main(void) {
    for (int i = 0; i < N; i++) a[i] = i * 37 % 101 - 40;
    static const int sizes[] = {1, 2, 3, 33, N};
    for (int s = 0; s < 5; s++) {
        int n = sizes[s], sum = 5, total = 5, most = -1000, product = 1;
#pragma omp parallel for reduction(inscan, + : sum)
        for (int i = 0; i < n; i++) {
            sum += a[i];
#pragma omp scan inclusive(sum)
            up[i] = sum;
        }
#pragma omp parallel for reduction(inscan, + : total)
        for (int i = 0; i < n; i++) {
            before[i] = total;
#pragma omp scan exclusive(total)
            total += a[i];
        }
        int want = 5;
        for (int i = 0; i < n; i++) {
            CHECK(before[i] == want, "%d of %d: %d before, not %d", i, n, before[i], want);
            want += a[i];
            CHECK(up[i] == want, "%d of %d: %d, not %d", i, n, up[i], want);
        }
        CHECK_EQ(sum, want);
        CHECK_EQ(total, want);
#pragma omp parallel
        {
#pragma omp for reduction(inscan, max : most)
            for (int i = 0; i < n; i++) {
                most = most > a[i] ? most : a[i];
#pragma omp scan inclusive(most)
                up[i] = most;
            }
        }
        int highest = -1000;
        for (int i = 0; i < n; i++) {
            highest = highest > a[i] ? highest : a[i];
            CHECK_EQ(up[i], highest);
        }
#pragma omp simd reduction(inscan, * : product)
        for (int i = 0; i < n; i++) {
            product *= i % 2 ? 1 : -1;
#pragma omp scan inclusive(product)
            up[i] = product;
        }
        for (int i = 0, p = 1; i < n; i++) {
            p *= i % 2 ? 1 : -1;
            CHECK_EQ(up[i], p);
        }
    }
    return verdict();
}
