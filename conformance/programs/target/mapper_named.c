// Mappers with names, of which each construct chooses one. OpenMP 5.1, 2.21.7.4
//@ devices: 1 3
//@ stock-fails: offload because what a mapper maps first is never released
//@ cannot: gcc because gcc 12 has no mappers
#include "device.h"

struct both {
    int na, nb;
    int *a, *b;
};
#pragma omp declare mapper(only_a : struct both s) map(to : s.na, s.nb) map(s.a[0 : s.na])
#pragma omp declare mapper(only_b : struct both s) map(to : s.na, s.nb) map(s.b[0 : s.nb])

int main(void) {
    int a[10], b[20];
    FILL(a, 10, 1);
    FILL(b, 20, 2);
    struct both s = {10, 20, a, b};
#pragma omp target map(mapper(only_a), tofrom : s)
    for (int i = 0; i < s.na; i++) s.a[i] += i;
#pragma omp target map(mapper(only_b), tofrom : s)
    for (int i = 0; i < s.nb; i++) s.b[i] += i;
    for (int i = 0; i < 10; i++) CHECK_EQ(a[i], 1 + i);
    for (int i = 0; i < 20; i++) CHECK_EQ(b[i], 2 + i);
    CHECK(s.a == a && s.b == b, "the host's pointers have changed");
#pragma omp target data map(mapper(only_b), to : s)
    {
        b[5] = 500;
#pragma omp target update to(mapper(only_b) : s)
        int seen = 0;
#pragma omp target map(from : seen) map(mapper(only_b), to : s)
        seen = s.b[5];
        CHECK_EQ(seen, 500);
    }
    return verdict();
}
