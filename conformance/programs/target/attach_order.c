// A pointer is attached whichever comes first, the structure or what it points at, and again when what it points at is mapped anew.
// OpenMP 5.1, 2.21.7.2
//@ devices: 1 3
//@ stock-fails: offload because it gives the pointer its value of the first attachment back
//@ needs: gcc 11
#include "device.h"

struct holder {
    int *p;
    int n;
};

int main(void) {
    int first[8], second[8], got = 0;
    FILL(first, 8, 1);
    FILL(second, 8, 2);
    struct holder h = {first, 8};
    // What it points at comes first.
#pragma omp target enter data map(to : first)
#pragma omp target map(tofrom : h, h.p[0 : 8]) map(from : got)
    got = h.p[7]++;
    CHECK_EQ(got, 1);
#pragma omp target exit data map(from : first)
    CHECK_EQ(first[7], 2);
    // The structure comes first, and its pointer changes on the host.
#pragma omp target enter data map(to : h)
#pragma omp target enter data map(to : h.p[0 : 8])
#pragma omp target map(from : got)
    got = h.p[7];
    CHECK_EQ(got, 2);
#pragma omp target exit data map(release : h.p[0 : 8])
    h.p = second;
#pragma omp target update to(h.p)
#pragma omp target enter data map(to : h.p[0 : 8])
#pragma omp target map(from : got)
    got = h.p[6];
    CHECK_EQ(got, 2);
#pragma omp target exit data map(release : h.p[0 : 8])
#pragma omp target exit data map(from : h)
    CHECK(h.p == second, "the host's pointer has changed");
    return verdict();
}
