// All threads map, change and release the same array at the same time. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ threads: 1 8 16
#include "device.h"

int main(void) {
    int a[64], threads = 0;
    FILL(a, 64, 0);
#pragma omp target data map(tofrom : a)
    {
#pragma omp parallel reduction(+ : threads)
        {
            int me = omp_get_thread_num();
            for (int round = 0; round < 20; round++) {
#pragma omp target map(tofrom : a) firstprivate(me)
                {
#pragma omp atomic
                    a[me % 64] += 1;
#pragma omp atomic
                    a[63] += 1;
                }
            }
            threads += 1;
        }
    }
    CHECK_EQ(a[63], 20 * threads);
    for (int i = 0; i < threads; i++) CHECK_EQ(a[i], 20);
    return verdict();
}
