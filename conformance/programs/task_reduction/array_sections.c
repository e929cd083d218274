// Array sections and whole arrays as list items, larger than what a cache line or a page holds. OpenMP 5.1, 2.21.5 (reduction clauses)
#include "check.h"

enum { N = 3000 };

int main(void) {
    static int histogram[N];
    int few[5] = {1, 2, 3, 4, 5};
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : histogram, few[1 : 3])
        for (int t = 0; t < 20; t++) {
#pragma omp task in_reduction(+ : histogram, few[1 : 3])
            {
                for (int i = t; i < N; i += 20) histogram[i]++;
                few[1 + t % 3]++;
            }
        }
    }
    for (int i = 0; i < N; i++) CHECK_EQ(histogram[i], 1);
    CHECK_EQ(few[0], 1);
    CHECK_EQ(few[1] + few[2] + few[3], 2 + 3 + 4 + 20);
    CHECK_EQ(few[4], 5);
    return verdict();
}
