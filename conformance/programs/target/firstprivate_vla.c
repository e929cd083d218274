// firstprivate of arrays whose length is known at run time only, from none to many bytes. OpenMP 5.1, 2.21.4.4
//@ devices: 1 3
#include "device.h"

static void with(int n) {
    long array[n];
    for (int i = 0; i < n; i++) array[i] = n + i;
    long sum = 0;
#pragma omp target firstprivate(array) map(tofrom : sum)
    for (int i = 0; i < n; i++) {
        sum += array[i];
        array[i] = 0;
    }
    CHECK_EQ(sum, (long)n * n + (long)n * (n - 1) / 2);
    for (int i = 0; i < n; i++) CHECK_EQ(array[i], n + i);
}

int main(void) {
    with(1);
    with(2);
    with(129);
    with(10000);
    return verdict();
}
