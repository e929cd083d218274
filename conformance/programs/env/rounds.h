// Teams have the size that they should have, one after the other.
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int size = 0;
#pragma omp parallel reduction(+ : size)
        size++;
        CHECK_EQ(size, omp_get_max_threads());
    }
    return verdict();
}
