// What the routines say of devices, on the host and in target regions. OpenMP 5.1, 3.7
//@ devices: 1 3
//@ stock-fails: offload because its devices do not know their number
//@ needs: gcc 12
#include "device.h"

int main(void) {
    int devices = omp_get_num_devices(), initial = -1, number = -1, procs = 0, teams = 0, team = -1;
    CHECK(devices >= 0, "%d devices", devices);
    CHECK_EQ(omp_get_initial_device(), devices);
#pragma omp target map(from : initial, number, procs, teams, team)
    {
        initial = omp_is_initial_device();
        number = omp_get_device_num();
        procs = omp_get_num_procs();
        teams = omp_get_num_teams();
        team = omp_get_team_num();
    }
    CHECK_EQ(initial, !separate());
    CHECK_EQ(number, separate() ? 0 : omp_get_initial_device());
    CHECK(procs >= 1, "%d processors", procs);
    CHECK_EQ(teams, 1);
    CHECK_EQ(team, 0);
    int threads = 0, agree = 0;
#pragma omp target parallel num_threads(3) map(tofrom : threads, agree) firstprivate(number) reduction(+ : threads, agree)
    {
        threads++;
        agree += omp_get_device_num() == number;
    }
    CHECK_EQ(agree, threads);
    return verdict();
}
