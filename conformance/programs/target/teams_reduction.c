// Reductions over teams, and over teams and their threads. OpenMP 5.1, 2.21.5.4
//@ devices: 1 3
//@ stock-fails: clang because it makes no more teams than there are processors
//@ stock-fails: offload because it makes no more teams than there are processors
#include "device.h"

#define N 2000

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) a[i] = i % 100;
    long sum = 7;
    int teams = 0, highest = -1, lowest = 1000, array[4] = {0};
    double product = 1;
#pragma omp target teams num_teams(4) reduction(+ : teams) map(tofrom : teams)
    teams += 1;
    CHECK_EQ(teams, 4);
#pragma omp target teams distribute reduction(+ : sum) map(tofrom : sum)
    for (int i = 0; i < N; i++) sum += a[i];
    CHECK_EQ(sum, 99007);
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : highest) reduction(min : lowest) map(tofrom : sum, highest, lowest)
    for (int i = 0; i < N; i++) {
        sum += a[i];
        if (a[i] > highest) highest = a[i];
        if (a[i] < lowest) lowest = a[i];
    }
    CHECK_EQ(sum, 198007);
    CHECK_EQ(highest, 99);
    CHECK_EQ(lowest, 0);
#pragma omp target teams distribute parallel for reduction(* : product) map(tofrom : product) num_teams(3)
    for (int i = 0; i < 30; i++) product *= 2;
    CHECK(product == 1 << 30, "%g", product);
#pragma omp target teams distribute parallel for reduction(+ : array) map(tofrom : array)
    for (int i = 0; i < N; i++) array[i % 4] += a[i];
    CHECK_EQ(array[0] + array[1] + array[2] + array[3], 99000);
    CHECK_EQ(array[1] - array[0], 500);
    return verdict();
}
