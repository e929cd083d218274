// 100 000 tasks from one generator: none is lost, each sees its own firstprivate value.
// OpenMP 5.1, 2.12.1
//@ threads: 1 2 8
#include "check.h"

enum { N = 100000 };

static unsigned char ran[N];

int main(void) {
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i) shared(sum)
        {
            ran[i]++;
            if (i % 100 == 0) {
#pragma omp atomic
                sum += i;
            }
        }
    }
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += ran[i] != 1;
    CHECK_EQ(wrong, 0);
    CHECK_EQ(sum, 49950000);
    return verdict();
}
