// Cancellation reaches the innermost region only: the outer region goes on, its other threads and their regions as well.
// OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    omp_set_max_active_levels(2);
    for (int round = 0; round < 25; round++) {
        int outer = 0, size = 0, past = 0, kept = 0, kept_size = 0;
#pragma omp parallel num_threads(2) shared(outer, size, past, kept, kept_size)
        {
#pragma omp atomic
            size++;
            int cancels = omp_get_thread_num() == 0;
#pragma omp parallel num_threads(3) shared(past, kept, kept_size)
            {
                if (cancels) {
#pragma omp cancel parallel
#pragma omp atomic
                    past++;
                } else {
#pragma omp atomic
                    kept_size++;
                }
#pragma omp barrier
#pragma omp atomic
                kept++;
            }
#pragma omp barrier
#pragma omp atomic
            outer++;
        }
        CHECK_EQ(outer, size);
        CHECK_EQ(past, 0);
        CHECK_EQ(kept, kept_size);
    }
    return verdict();
}
