// defaultmap for pointers, and for all categories at once. OpenMP 5.1, 2.21.7.3
//@ devices: 1 3
#include "device.h"

int main(void) {
    int array[10], x = 4, same = 0;
    int *p = array;
    FILL(array, 10, 1);
    // The pointer itself is copied, not what it points at.
#pragma omp target defaultmap(firstprivate : pointer) map(from : same)
    {
        same = p != NULL;
        p = NULL;
    }
    CHECK_EQ(same, 1);
    CHECK(p == array, "a firstprivate pointer has changed");
#pragma omp target defaultmap(tofrom : pointer)
    p = p + 3;
    CHECK(p == array + 3, "a pointer as a value");
    p = array;
#pragma omp target data map(tofrom : array)
#pragma omp target defaultmap(default : pointer)
    p[2] = 5;
    CHECK_EQ(array[2], 5);
#pragma omp target defaultmap(tofrom)
    {
        x++;
        array[0] = x;
    }
    CHECK_EQ(x, 5);
    CHECK_EQ(array[0], 5);
#pragma omp target defaultmap(none) map(x) map(array)
    array[1] = x++;
    CHECK_EQ(x, 6);
    CHECK_EQ(array[1], 5);
    return verdict();
}
