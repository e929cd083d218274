// Pointers that no clause names: translated if what they point at is there, else left as they are. OpenMP 5.1, 2.21.7
//@ devices: 1 3
#include "device.h"

int main(void) {
    int *p = malloc(10 * sizeof *p), *q = malloc(sizeof *q), *null = NULL;
    FILL(p, 10, 1);
    int same = 0, zero = 0;
    // q is not there.
#pragma omp target map(from : same, zero)
    {
        same = q != NULL;
        zero = null == NULL;
    }
    (void)same;
    CHECK_EQ(zero, 1);
#pragma omp target data map(tofrom : p[0 : 10])
    {
#pragma omp target
        FILL(p, 10, 5);
        int *middle = p + 5;
#pragma omp target
        middle[1] = 6;
        if (separate()) CHECK_EQ(p[6], 1);
    }
    CHECK_EQ(p[0], 5);
    CHECK_EQ(p[6], 6);
    free(p);
    free(q);
    return verdict();
}
