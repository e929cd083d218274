// KMP_HOT_TEAMS_MODE=1: teams that shrink and grow work, whether their spare threads stay or go.
//@ env: KMP_HOT_TEAMS_MODE=1
#include "check.h"

int main(void) {
    for (int round = 0; round < 30; round++) {
        int want = 1 + round % 5, size = 0;
#pragma omp parallel num_threads(want) reduction(+ : size)
        size++;
        CHECK_EQ(size, want);
    }
    return verdict();
}
