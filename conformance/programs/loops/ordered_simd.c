// ordered simd and ordered threads simd in worksharing SIMD loops: in order within a chunk, and across threads where threads is said.
// clang 19 forgets about threads where simd is said too; that part is gcc's. OpenMP 5.1, 2.19.9 (ordered construct: simd and threads)
#include "check.h"

enum { N = 256 };

static int value[N], seen[N];

int main(void) {
    for (int round = 0; round < 5; round++) {
        int next = 0, outside = 0;
        for (int i = 0; i < N; i++) value[i] = i, seen[i] = -1;
#pragma omp parallel for simd schedule(static, 16)
        for (int i = 0; i < N; i++) {
            value[i] *= 2;
#pragma omp ordered simd
            {
                if (i % 16) seen[i] = value[i] + value[i - 1];
            }
        }
        for (int i = 0; i < N; i++) {
            CHECK_EQ(value[i], 2 * i);
            CHECK_EQ(seen[i], i % 16 ? 4 * i - 2 : -1);
        }
#ifdef __clang__
        for (int i = 0; i < N; i++) value[i]++, next++;
#else
#pragma omp parallel for simd ordered schedule(dynamic, 8)
        for (int i = 0; i < N; i++) {
            value[i]++;
#pragma omp ordered threads simd
            {
                outside += next != i;
                next++;
            }
        }
#endif
        CHECK_EQ(next, N);
        CHECK_EQ(outside, 0);
        for (int i = 0; i < N; i++) CHECK_EQ(value[i], 2 * i + 1);
    }
    return verdict();
}
