// A bad OMP_DYNAMIC gives one line that names it, and the default.
// OpenMP 5.1, 6.3
//@ env: OMP_DYNAMIC=perhaps
//@ threads: 1 2
//@ expect-stderr: OMP_DYNAMIC perhaps
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_dynamic(), 0);
    return verdict();
}
