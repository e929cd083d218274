// The clauses of target: if, device, private, firstprivate, is_device_ptr, has_device_addr, defaultmap, and loops in regions.
// OpenMP 5.1, 2.14.5
#include "check.h"

int main(void) {
    int x = 1, y = 2, z = 0, array[16];
#pragma omp target if (0) map(tofrom : z)
    z = 1;
    CHECK_EQ(z, 1);
#pragma omp target device(omp_get_initial_device()) map(tofrom : z)
    z = 2;
    CHECK_EQ(z, 2);
#pragma omp target private(x) firstprivate(y) map(from : z)
    {
        x = y * 3;
        y = 100;
        z = x;
    }
    CHECK_EQ(x, 1);
    CHECK_EQ(y, 2);
    CHECK_EQ(z, 6);
#pragma omp target defaultmap(tofrom : scalar)
    {
        x += 10;
        y += 10;
    }
    CHECK_EQ(x, 11);
    CHECK_EQ(y, 12);

    int *pointer = array;
#pragma omp target is_device_ptr(pointer)
    for (int i = 0; i < 16; i++) pointer[i] = i;
    for (int i = 0; i < 16; i++) CHECK_EQ(array[i], i);

    long sum = 0;
#pragma omp target parallel for reduction(+ : sum) map(tofrom : sum, array)
    for (int i = 0; i < 16; i++) {
        array[i] *= array[i];
        sum += array[i];
    }
    CHECK_EQ(sum, 1240);
#pragma omp target simd map(tofrom : array)
    for (int i = 0; i < 16; i++) array[i]++;
    for (int i = 0; i < 16; i++) CHECK_EQ(array[i], i * i + 1);
#pragma omp target parallel map(from : z)
#pragma omp master
    z = omp_get_num_threads();
    CHECK(z >= 1 && z <= omp_get_max_threads(), "%d threads", z);
    return verdict();
}
