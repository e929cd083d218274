// OMP_TARGET_OFFLOAD=mandatory and a memory routine that is given no device. OpenMP 5.1, 6.17
//@ compilers: gcc
//@ env: OMP_TARGET_OFFLOAD=mandatory
//@ threads: 2
//@ exit: 1
//@ expect-stderr: mandatory memory routine 1 program ends
#include "check.h"

int main(void) {
    printf("ok\n");
    omp_target_alloc(8, omp_get_num_devices() + 1);
    return 3;
}
