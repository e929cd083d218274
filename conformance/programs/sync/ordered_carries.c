// An ordered region carries a recurrence from each iteration to the next: what one wrote, the following one sees.
// OpenMP 5.1, 2.19.9
#include "check.h"

int main(void) {
    enum { N = 120 };
    unsigned long chain = 1, want = 1;
    int trace[N], used = 0;
    for (int i = 0; i < N; i++) want = want * 6364136223846793005ul + (unsigned long)i;
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
        unsigned noise = spin_work((unsigned)(i * 37 % 50));
        (void)noise;
#pragma omp ordered
        {
            chain = chain * 6364136223846793005ul + (unsigned long)i;
            trace[used++] = i;
        }
    }
    CHECK(chain == want, "%lu", chain);
    CHECK_EQ(used, N);
    for (int i = 0; i < N; i++) CHECK_EQ(trace[i], i);
    return verdict();
}
