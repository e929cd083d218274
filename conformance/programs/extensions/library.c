// kmp_set_library: 1 makes every region serial, 2 and 3 parallel again; not inside a region.
//@ compilers: clang
//@ env: OMP_NUM_THREADS=3
//@ stderr-may-hold-more:
#include "check.h"

static int team(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    return size;
}

int main(void) {
    CHECK_EQ(kmp_get_library(), 3);
    CHECK_EQ(team(), 3);
    kmp_set_library_serial();
    CHECK_EQ(kmp_get_library(), 1);
    CHECK_EQ(team(), 1);
    kmp_set_library_turnaround();
    CHECK_EQ(kmp_get_library(), 2);
    CHECK_EQ(team(), 3);
    kmp_set_library(1);
    CHECK_EQ(team(), 1);
    kmp_set_library_throughput();
    CHECK_EQ(kmp_get_library(), 3);
    CHECK_EQ(team(), 3);
#pragma omp parallel
    {
#pragma omp single
        kmp_set_library_serial();
        CHECK_EQ(kmp_get_library(), 3);
    }
    CHECK_EQ(team(), 3);
    return verdict();
}
