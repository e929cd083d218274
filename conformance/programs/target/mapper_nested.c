// A mapper whose member has a mapper of its own. OpenMP 5.1, 2.21.7.4
//@ devices: 1 3
//@ needs: gcc 16
#include "device.h"

typedef struct {
    int n;
    int *data;
} inner;
typedef struct {
    inner first, second;
    int id;
} outer;
#pragma omp declare mapper(inner i) map(i.n) map(i.data[0 : i.n])
#pragma omp declare mapper(outer o) map(o.id) map(o.first, o.second)

int main(void) {
    int a[7], b[8];
    FILL(a, 7, 1);
    FILL(b, 8, 2);
    outer o = {{7, a}, {8, b}, 5};
#pragma omp target map(tofrom : o)
    {
        for (int i = 0; i < o.first.n; i++) o.first.data[i] += o.id;
        for (int i = 0; i < o.second.n; i++) o.second.data[i] += o.id;
        o.id = 6;
    }
    for (int i = 0; i < 7; i++) CHECK_EQ(a[i], 6);
    for (int i = 0; i < 8; i++) CHECK_EQ(b[i], 7);
    CHECK_EQ(o.id, 6);
    CHECK(o.first.data == a && o.second.data == b, "the host's pointers have changed");
    return verdict();
}
