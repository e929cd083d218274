// Barriers and teams work whatever the way of waiting.
#include "check.h"

int main(void) {
    long sum = 0;
    for (int round = 0; round < 30; round++) {
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
        for (int i = 0; i < 20; i++) sum += i;
#pragma omp parallel
        {
#pragma omp barrier
#pragma omp single
            sum++;
        }
    }
    CHECK_EQ(sum, 30 * 191);
    return verdict();
}
