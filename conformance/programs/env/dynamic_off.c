// OMP_DYNAMIC=false.
// OpenMP 5.1, 6.3
//@ env: OMP_DYNAMIC=False
//@ threads: 1 2
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_dynamic(), 0);
    return verdict();
}
