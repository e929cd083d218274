// Reductions with a declared operator, of a structure, in target regions. OpenMP 5.1, 2.21.5.7
//@ devices: 1 3
#include "device.h"

typedef struct {
    double sum;
    int count, largest;
} statistic;

#pragma omp declare target
static void add(statistic *into, const statistic *from) {
    into->sum += from->sum;
    into->count += from->count;
    if (from->largest > into->largest) into->largest = from->largest;
}
#pragma omp end declare target
#pragma omp declare reduction(merge : statistic : add(&omp_out, &omp_in)) initializer(omp_priv = {0, 0, -1})

int main(void) {
    statistic s = {0.5, 0, -1};
#pragma omp target parallel for reduction(merge : s) map(tofrom : s)
    for (int i = 0; i < 200; i++) {
        statistic one = {i, 1, i * 7 % 101};
        add(&s, &one);
    }
    CHECK(s.sum == 19900.5, "%g", s.sum);
    CHECK_EQ(s.count, 200);
    CHECK_EQ(s.largest, 100);
#pragma omp target teams distribute parallel for reduction(merge : s) map(tofrom : s) num_teams(3)
    for (int i = 0; i < 100; i++) {
        statistic one = {1, 1, 2 * i};
        add(&s, &one);
    }
    CHECK(s.sum == 20000.5, "%g", s.sum);
    CHECK_EQ(s.count, 300);
    CHECK_EQ(s.largest, 198);
    return verdict();
}
