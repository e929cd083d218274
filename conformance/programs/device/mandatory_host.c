// OMP_TARGET_OFFLOAD=mandatory does not concern what asks for the host itself. OpenMP 5.1, 6.17
//@ env: OMP_TARGET_OFFLOAD=mandatory
//@ threads: 2
#include "check.h"

int main(void) {
    int x = 0;
#pragma omp target device(omp_get_initial_device()) map(tofrom : x)
    x++;
#pragma omp target if (0) map(tofrom : x)
    x++;
    omp_set_default_device(omp_get_initial_device());
#pragma omp target map(tofrom : x)
    x++;
#pragma omp parallel
#pragma omp single
#pragma omp target map(tofrom : x) if (x < 0)
    x++;
    CHECK_EQ(x, 4);
    return verdict();
}
