// kmp_set_disp_num_buffers before and after the first region: loops without barriers between them work all the same.
//@ compilers: clang
#include "check.h"

int main(void) {
    kmp_set_disp_num_buffers(3);
    long sum = 0;
    for (int round = 0; round < 2; round++) {
#pragma omp parallel reduction(+ : sum)
        for (int loop = 0; loop < 20; loop++) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 50; i++) sum += i;
        }
        kmp_set_disp_num_buffers(100);
    }
    CHECK_EQ(sum, 2 * 20 * 1225);
    return verdict();
}
