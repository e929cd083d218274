// A team has the size that it should have: the setting changes nothing that a program sees.
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
