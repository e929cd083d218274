// delete and always hold for what a mapper makes of a variable, sections of arrays included. OpenMP 5.1, 2.21.7.4
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ cannot: gcc because gcc 12 has no mappers
//@ stock-fails: offload because what a mapper maps is neither deleted nor copied again
#include "device.h"

typedef struct {
    int n, *p;
} vector;
#pragma omp declare mapper(vector v) map(v, v.p[0 : v.n])

static int there(void *address) { return separate() && omp_target_is_present(address, omp_get_default_device()); }

int main(void) {
    int data[4][5];
    FILL(&data[0][0], 20, 1);
    vector v[4] = {{5, data[0]}, {5, data[1]}, {5, data[2]}, {5, data[3]}};
    for (int i = 0; i < 3; i++) {
#pragma omp target enter data map(to : v[1 : 2])
    }
    CHECK_EQ(there(&v[1]) + there(&v[2]) + there(data[1]) + there(data[2]), 4 * separate());
    CHECK_EQ(there(&v[0]) + there(&v[3]) + there(data[0]), 0);
    data[1][0] = 7;
#pragma omp target map(always, tofrom : v[1 : 2])
    {
        v[1].p[0] *= 2;
        v[2].p[4] += v[1].n;
    }
    CHECK_EQ(data[1][0], 14);
    CHECK_EQ(data[2][4], 6);
    CHECK(v[1].p == data[1], "the host's pointer has changed");
#pragma omp target exit data map(delete : v[1 : 2])
    CHECK_EQ(there(&v[1]) + there(&v[2]) + there(data[1]) + there(data[2]), 0);
    return verdict();
}
