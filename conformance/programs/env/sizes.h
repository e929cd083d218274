// Teams that grow and shrink have the size that they should have.
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
