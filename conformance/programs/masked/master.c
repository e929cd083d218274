// master runs on thread 0 alone, without a barrier; it stays thread 0 in nested teams too.
// OpenMP 5.1, 2.8 (masked construct), deprecated master
//@ threads: 1 2 3 8
#include "check.h"

int main(void) {
    int runs = 0, nested_runs = 0, threads = omp_get_max_threads();
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
        for (int i = 0; i < 50; i++) {
#pragma omp master
            {
                CHECK_EQ(omp_get_thread_num(), 0);
                runs++;
            }
        }
#pragma omp parallel num_threads(2)
        {
#pragma omp master
            {
#pragma omp atomic
                nested_runs++;
            }
        }
    }
    CHECK_EQ(runs, 50);
    CHECK_EQ(nested_runs, threads);
#pragma omp master
    runs = 0;
    CHECK_EQ(runs, 0);
    return verdict();
}
