// use_device_addr of scalars, arrays, structures and sections: the names stand for the device's storage. OpenMP 5.1, 2.14.2
//@ devices: 1 3
//@ cannot: gcc because gcc 12 takes no array section in the clause
#include "device.h"

struct pair {
    int a, b;
};

int main(void) {
    int scalar = 1, array[10];
    struct pair pair = {1, 2};
    int *p = malloc(10 * sizeof *p);
    FILL(array, 10, 1);
    FILL(p, 10, 1);
    int *host_array = array, *host_scalar = &scalar;
    struct pair *host_pair = &pair;
#pragma omp target data map(tofrom : scalar, array, pair, p[0 : 10]) use_device_addr(scalar, array, pair, p[0 : 10])
    {
        int *s = &scalar, *a = array, *section = &p[0];
        struct pair *r = &pair;
        if (separate()) CHECK(s != host_scalar && a != host_array && r != host_pair, "host addresses");
#pragma omp target is_device_ptr(s, a, r, section)
        {
            *s = 2;
            a[9] = 3;
            r->b = 4;
            section[5] = 5;
        }
    }
    CHECK_EQ(scalar, 2);
    CHECK_EQ(array[9], 3);
    CHECK_EQ(pair.b, 4);
    CHECK_EQ(pair.a, 1);
    CHECK_EQ(p[5], 5);
    free(p);
    return verdict();
}
