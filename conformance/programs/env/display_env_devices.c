// OMP_DISPLAY_ENV shows the values of devices beside the host's.
// OpenMP 5.1, 6.12
//@ env: OMP_DISPLAY_ENV=verbose
//@ env: OMP_NUM_TEAMS=2
//@ env: OMP_NUM_TEAMS_DEV=3
//@ env: OMP_NUM_TEAMS_DEV_1=4
//@ threads: 2
//@ expect-stderr: [host] OMP_NUM_TEAMS = '2'
//@ expect-stderr: [device] OMP_NUM_TEAMS = '3'
//@ expect-stderr: [1] OMP_NUM_TEAMS = '4'
//@ expect-stderr: [host] KMP_BLOCKTIME
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 2);
    return verdict();
}
