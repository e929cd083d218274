// Threads map and unmap the same variables at once; none of them may see half of what another does. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ stock-fails: offload because it writes device pointers to the host's structure for a moment
//@ needs: gcc 11
#include "device.h"

typedef struct {
    int n, *p, rest[5];
} pointing;

static int large[40000];

int main(void) {
    enum { TIMES = 60, THREADS = 4 };
    int x = 0, array[64], changed = 0;
    FILL(array, 64, 0);
    pointing s = {64, array, {0}};
#pragma omp parallel num_threads(THREADS) reduction(+ : changed)
    for (int i = 0; i < TIMES; i++) {
        int id = omp_get_thread_num();
#pragma omp target map(tofrom : x)
        {
#pragma omp atomic
            x++;
        }
        if (i % 8 == 0) {
#pragma omp target map(tofrom : large)
            {
#pragma omp atomic
                large[id * 10000]++;
            }
        }
#pragma omp target map(tofrom : s, s.p[0 : 64])
        {
#pragma omp atomic
            s.p[id]++;
        }
        changed += s.p != array;
#pragma omp target enter data map(to : s) nowait
#pragma omp taskwait
#pragma omp target exit data map(release : s)
    }
    int threads = 0, in_array = 0, in_large = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : threads)
    threads += 1;
    for (int i = 0; i < THREADS; i++) {
        in_array += array[i];
        in_large += large[i * 10000];
    }
    CHECK_EQ(x, threads * TIMES);
    CHECK_EQ(in_array, threads * TIMES);
    CHECK_EQ(in_large, threads * ((TIMES + 7) / 8));
    CHECK_EQ(changed, 0);
    CHECK(!separate() || !omp_target_is_present(&x, 0), "x is still mapped");
    return verdict();
}
