// A threadprivate variable in copyprivate: the value of the thread that ran the single reaches every thread's copy.
// OpenMP 5.1, 2.21.6.2
#include "check.h"

static int shared_once;
static long values[4];
#pragma omp threadprivate(shared_once, values)

int main(void) {
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
        shared_once = -omp_get_thread_num();
#pragma omp single copyprivate(shared_once, values)
        {
            shared_once = 1000 + round;
            for (int i = 0; i < 4; i++) values[i] = round * i;
        }
        CHECK_EQ(shared_once, 1000 + round);
        for (int i = 0; i < 4; i++) CHECK_EQ(values[i], round * i);
#pragma omp barrier
    }
    return verdict();
}
