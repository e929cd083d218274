// Members of structures in map clauses, alone and several of one structure; the others stay. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
#include "device.h"

struct record {
    int id;
    double weight;
    int table[6];
    struct {
        char tag;
        long count;
    } inner;
};

int main(void) {
    struct record r = {1, 2.5, {1, 2, 3, 4, 5, 6}, {'a', 10}};
#pragma omp target map(tofrom : r.weight)
    r.weight *= 2;
    CHECK(r.weight == 5, "%g", r.weight);
#pragma omp target map(tofrom : r.id, r.inner.count)
    {
        r.id += 1;
        r.inner.count += 5;
    }
    CHECK_EQ(r.id, 2);
    CHECK_EQ(r.inner.count, 15);
#pragma omp target map(tofrom : r.table[2 : 3]) map(to : r.id)
    for (int i = 2; i < 5; i++) r.table[i] *= r.id;
    CHECK_EQ(r.table[1], 2);
    CHECK_EQ(r.table[2], 6);
    CHECK_EQ(r.table[4], 10);
    CHECK_EQ(r.table[5], 6);
    CHECK_EQ(r.inner.tag, 'a');
#pragma omp target data map(tofrom : r)
    {
#pragma omp target map(tofrom : r.table)
        r.table[0] = -1;
#pragma omp target update from(r.table[0 : 1])
        CHECK_EQ(r.table[0], -1);
    }
    CHECK_EQ(r.table[0], -1);
    return verdict();
}
