// Five hundred target tasks at once, some waiting for others. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

#define LINES 10
#define N 500

int main(void) {
    long lines[LINES];
    FILL(lines, LINES, 1);
#pragma omp target data map(tofrom : lines)
    {
        for (int i = 0; i < N; i++) {
            int k = i % LINES;
#pragma omp target nowait depend(inout : lines[k]) firstprivate(k, i)
            lines[k] = (lines[k] * 31 + i) % 1000003;
        }
#pragma omp taskwait
    }
    for (int k = 0; k < LINES; k++) {
        long want = 1;
        for (int i = k; i < N; i += LINES) want = (want * 31 + i) % 1000003;
        CHECK_EQ(lines[k], want);
    }
    return verdict();
}
