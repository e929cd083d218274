// masked whose filter is known only at run time: changing, negative, beyond the team, evaluated by each thread; nested regions count their
// own numbers; no barrier follows. OpenMP 5.1, 2.8 (masked construct)
//@ needs: gcc 12
#include <limits.h>

#include "check.h"

static int filter_of(int step, int threads) { return (step * 7 + 3) % (threads + 2) - 1; }

int main(void) {
    int threads = omp_get_max_threads();
    omp_set_max_active_levels(2);
    int runs[200] = {0}, extremes = 0, nested[2][4] = {{0}}, tasks = 0;
#pragma omp parallel
    {
        for (int step = 0; step < 200; step++) {
#pragma omp masked filter(filter_of(step, threads))
            {
                CHECK_EQ(omp_get_thread_num(), filter_of(step, threads));
                runs[step]++;
            }
        }
#pragma omp masked filter(INT_MIN)
        extremes++;
#pragma omp masked filter(INT_MAX)
        extremes++;
#pragma omp masked filter(-1)
        extremes++;
#pragma omp barrier
        // One masked region inside another of the same thread, with tasks of its own.
#pragma omp masked filter(threads - 1)
        {
#pragma omp masked filter(omp_get_thread_num())
            {
                for (int k = 0; k < 10; k++) {
#pragma omp task
                    {
#pragma omp atomic
                        tasks++;
                    }
                }
            }
        }
    }
    for (int step = 0; step < 200; step++) {
        int filter = filter_of(step, threads);
        CHECK(runs[step] == (filter >= 0 && filter < threads), "step %d, filter %d: %d runs", step, filter, runs[step]);
    }
    CHECK_EQ(extremes, 0);
    CHECK_EQ(tasks, 10);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
        for (int filter = 0; filter < 4; filter++) {
#pragma omp masked filter(filter)
            {
                CHECK_EQ(omp_get_thread_num(), filter);
#pragma omp atomic
                nested[outer][filter]++;
            }
        }
    }
    CHECK_EQ(nested[0][0], 1);
    CHECK_EQ(nested[0][3], 0);
    // Outside a parallel region there is thread 0 alone.
    int serial = 0;
#pragma omp masked filter(serial)
    serial += 1;
#pragma omp masked filter(serial)
    serial += 10;
    CHECK_EQ(serial, 1);
    return verdict();
}
