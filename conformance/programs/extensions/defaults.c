// kmp_set_defaults puts settings above the environment's, for the calling task at once.
//@ compilers: clang
//@ env: OMP_NUM_THREADS=2
//@ stderr-may-hold-more:
#include "check.h"

static int team(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    return size;
}

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 2);
    kmp_set_defaults("OMP_NUM_THREADS=5");
    CHECK_EQ(omp_get_max_threads(), 5);
    CHECK_EQ(team(), 5);
    kmp_set_defaults("KMP_BLOCKTIME=77|OMP_DYNAMIC=false|OMP_NUM_THREADS=3");
    CHECK_EQ(kmp_get_blocktime(), 77);
    CHECK_EQ(omp_get_dynamic(), 0);
    CHECK_EQ(team(), 3);
    omp_set_num_threads(4);
    kmp_set_defaults("KMP_BLOCKTIME=0");
    CHECK_EQ(kmp_get_blocktime(), 0);
    CHECK_EQ(team(), 4);
    kmp_set_defaults("");
    kmp_set_defaults("nonsense||=|x=y");
    CHECK_EQ(team(), 4);
    return verdict();
}
