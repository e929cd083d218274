// KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE: the chunks of each thread come in ascending order.
//@ env: KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=1
#include "check.h"

int main(void) {
    for (int round = 0; round < 10; round++) {
        long sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
            int last = -1;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 400; i++) {
                if (i % 97 == 0) spin_work(300);
                CHECK(i > last, "%d after %d", i, last);
                last = i;
                sum += i;
            }
        }
        CHECK_EQ(sum, 79800);
    }
    return verdict();
}
