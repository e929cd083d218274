// Nested teams have the size that they should have, and complete their tasks.
#include "check.h"

int main(void) {
    omp_set_max_active_levels(3);
    for (int round = 0; round < 10; round++) {
        int size = 0;
#pragma omp parallel num_threads(3) reduction(+ : size)
#pragma omp parallel num_threads(2) reduction(+ : size)
        {
            size++;
#pragma omp task
            spin_work(10);
        }
        CHECK_EQ(size, 6);
    }
    return verdict();
}
