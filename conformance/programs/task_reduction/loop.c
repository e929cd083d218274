// reduction with the task modifier on worksharing loops of all schedules, one after another: iterations and the tasks that they generate
// contribute. OpenMP 5.1, 2.21.5.4 (reduction clause)
#include "check.h"

enum { N = 64 };

#define LOOP(...)                                                \
    {                                                            \
        OMP(for reduction(task, + : sum, far) __VA_ARGS__)       \
        for (int i = 0; i < N; i++) {                            \
            sum += i;                                            \
            OMP(task in_reduction(+ : sum, far) firstprivate(i)) \
            {                                                    \
                sum += 1;                                        \
                far += 1000000000000L * i;                       \
            }                                                    \
        }                                                        \
    }

int main(void) {
    int sum = 0;
    long far = 0;
#pragma omp parallel
    {
        LOOP(schedule(static))
        LOOP(schedule(static, 3))
        LOOP(schedule(dynamic, 2))
        LOOP(schedule(guided))
        LOOP(schedule(runtime))
    }
    CHECK_EQ(sum, 5 * (N * (N - 1) / 2 + N));
    CHECK_EQ(far, 5 * (N * (N - 1L) / 2) * 1000000000000L);
    return verdict();
}
