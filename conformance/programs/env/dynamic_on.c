// OMP_DYNAMIC in any case and with blanks.
// OpenMP 5.1, 6.3
//@ stock-fails: clang because libomp takes no leading blank
//@ env: OMP_DYNAMIC= TRUE 
//@ threads: 1 2
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_dynamic(), 1);
    return verdict();
}
