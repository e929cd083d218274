// declare target indirect: function pointers of the host are called on the device. OpenMP 5.1, 2.14.7
//@ devices: 1 3
//@ needs: clang 14, gcc 14
#include "device.h"

int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
#pragma omp begin declare target indirect
int negate(int x) { return -x; }
#pragma omp end declare target
#pragma omp declare target to(twice, thrice) indirect

int main(void) {
    int (*functions[3])(int) = {twice, thrice, negate};
    int results[3] = {0};
    for (int i = 0; i < 3; i++) {
        int (*f)(int) = functions[i];
        int result = 0;
#pragma omp target map(from : result)
        result = f(i + 1);
        results[i] = result;
    }
    CHECK_EQ(results[0], 2);
    CHECK_EQ(results[1], 6);
    CHECK_EQ(results[2], -3);
    return verdict();
}
