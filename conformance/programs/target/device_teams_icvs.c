// nteams-var and teams-thread-limit-var are of device scope: on devices they come from the variables that name devices, and what a target
// region sets is the device's. OpenMP 5.1, 2.4.1, 2.4.2, 3.4.3 to 3.4.6, 6.23, 6.24
//@ compilers: offload
//@ devices: 1 3
//@ env: OMP_NUM_TEAMS=4
//@ env: OMP_NUM_TEAMS_DEV=3
//@ env: OMP_NUM_TEAMS_DEV_0=2
//@ env: OMP_TEAMS_THREAD_LIMIT_ALL=5
//@ env: OMP_TEAMS_THREAD_LIMIT_DEV_0=2
//@ stock-fails: offload because it does not know the variables
#include "device.h"

int main(void) {
    CHECK_EQ(omp_get_max_teams(), 4);
    CHECK_EQ(omp_get_teams_thread_limit(), 5);
    for (int d = 0; d < omp_get_num_devices(); d++) {
        int most = 0, limit = 0, teams = 0, each = 0, asked = 0, changed = 0, left = 0;
#pragma omp target device(d) map(tofrom : most, limit)
        {
            most = omp_get_max_teams();
            limit = omp_get_teams_thread_limit();
        }
        CHECK_EQ(most, d == 0 ? 2 : 3);
        CHECK_EQ(limit, d == 0 ? 2 : 5);
#pragma omp target teams device(d) map(tofrom : teams, each)
        if (omp_get_team_num() == 0) {
            teams = omp_get_num_teams();
            each = omp_get_thread_limit();
        }
        CHECK_EQ(teams, d == 0 ? 2 : 3);
        CHECK_EQ(each, d == 0 ? 2 : 5);
#pragma omp target teams num_teams(1) device(d) map(tofrom : asked)
        asked = omp_get_num_teams();
        CHECK_EQ(asked, 1);
#pragma omp target device(d) map(tofrom : changed)
        {
            omp_set_num_teams(7);
            omp_set_teams_thread_limit(6);
            changed = omp_get_max_teams();
        }
        CHECK_EQ(changed, 7);
#pragma omp target device(d) map(tofrom : left)
        left = omp_get_max_teams() * 10 + omp_get_teams_thread_limit();
        CHECK_EQ(left, 76);
        CHECK_EQ(omp_get_max_teams(), 4);
        CHECK_EQ(omp_get_teams_thread_limit(), 5);
    }
    omp_set_num_teams(9);
    for (int d = 0; d < omp_get_num_devices(); d++) {
        int left = 0;
#pragma omp target device(d) map(tofrom : left)
        left = omp_get_max_teams();
        CHECK_EQ(left, 7);
    }
    return verdict();
}
