// Teams of 65, 129 and 150 threads, past the width of any bit mask: barriers, reductions, loops, singles and tasks.
// OpenMP 5.1, 2.6.1
//@ threads: 2
#include "check.h"

int main(void) {
    static const int sizes[] = {64, 65, 129, 150, 63};
    for (int s = 0; s < 5; s++) {
        int size = sizes[s], seen[160] = {0}, sum = 0, loops = 0, tasks = 0, singles = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
        {
            int me = omp_get_thread_num();
            CHECK_EQ(omp_get_num_threads(), size);
            seen[me]++;
            sum += me;
#pragma omp barrier
            CHECK_EQ(seen[(me + 1) % size], 1);
#pragma omp for schedule(dynamic) reduction(+ : loops)
            for (int i = 0; i < 300; i++) loops++;
#pragma omp single
            {
                singles++;
                for (int i = 0; i < 100; i++) {
#pragma omp task
                    {
#pragma omp atomic
                        tasks++;
                    }
                }
            }
            CHECK_EQ(tasks, 100);
        }
        for (int i = 0; i < 160; i++) CHECK_EQ(seen[i], i < size);
        CHECK_EQ(sum, size * (size - 1) / 2);
        CHECK_EQ(loops, 300);
        CHECK_EQ(singles, 1);
    }
    return verdict();
}
