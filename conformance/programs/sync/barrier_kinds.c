// Explicit barriers, the implied ones of loop, sections, single and the region's end, mixed, with results checked after each.
// OpenMP 5.1, 2.19.2, 2.19.3 (implicit barriers)
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads();
    for (int round = 0; round < 10; round++) {
        int step = 0, loops = 0, value[64] = {0};
#pragma omp parallel
        {
            int me = omp_get_thread_num(), left = (me + 1) % threads;
            value[me] = me + 1;
#pragma omp barrier
            CHECK_EQ(value[left], left + 1);
#pragma omp single
            step = 1;
            CHECK_EQ(step, 1);
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 30; i++) {
#pragma omp atomic
                loops++;
            }
            CHECK_EQ(loops, 30);
#pragma omp sections
            {
#pragma omp section
                step = 2;
            }
            CHECK_EQ(step, 2);
            value[me] = -1;
        }
        for (int i = 0; i < threads; i++) CHECK_EQ(value[i], -1);
    }
    return verdict();
}
