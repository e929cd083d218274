// masked with a filter runs on the thread of that number, or on none when the team is smaller; without one, on thread 0.
// OpenMP 5.1, 2.8 (masked construct)
//@ needs: gcc 12
#include "check.h"

int main(void) {
    int runs[40] = {0}, plain = 0, threads = omp_get_max_threads();
#pragma omp parallel
    {
        for (int i = 0; i < 40; i++) {
#pragma omp masked filter(i)
            {
                CHECK_EQ(omp_get_thread_num(), i);
                runs[i]++;
            }
        }
#pragma omp masked
        {
#pragma omp atomic
            plain++;
        }
        // Each thread names itself.
#pragma omp masked filter(omp_get_thread_num())
        {
#pragma omp atomic
            plain++;
        }
    }
    for (int i = 0; i < 40; i++) CHECK_EQ(runs[i], i < threads);
    CHECK_EQ(plain, 1 + threads);
    return verdict();
}
