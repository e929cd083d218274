// Several sinks at different distances, more than one ordered construct with sinks in an iteration, work between sink and source, and a
// source before the iteration ends. OpenMP 5.1, 2.19.9, 2.19.11
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { N = 150 };

static long a[N], b[N];
static int posted[N];

int main(void) {
    for (int round = 0; round < 6; round++) {
        __builtin_memset(posted, 0, sizeof posted);
#pragma omp parallel for ordered(1) schedule(static, 1)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 2) depend(sink : i - 5)
            CHECK(i < 2 || posted[i - 2], "%d before %d", i, i - 2);
            CHECK(i < 5 || posted[i - 5], "%d before %d", i, i - 5);
            a[i] = (i >= 2 ? a[i - 2] : 1) + (i >= 5 ? a[i - 5] : 1);
            a[i] %= 1000003;
            spin_work((unsigned)(i % 7) * 5);
#pragma omp ordered depend(sink : i - 13)
            CHECK(i < 13 || posted[i - 13], "%d before %d", i, i - 13);
            posted[i] = 1;
#pragma omp ordered depend(source)
            b[i] = 2 * a[i];
        }
        for (int i = 0; i < N; i++) {
            CHECK_EQ(a[i], ((i >= 2 ? a[i - 2] : 1) + (i >= 5 ? a[i - 5] : 1)) % 1000003);
            CHECK_EQ(b[i], 2 * a[i]);
        }
    }
    return verdict();
}
