// References in target regions: to scalars, arrays and structures, mapped, firstprivate and private. OpenMP 5.1, 2.21.7
//@ devices: 1 3
#include "device.h"

struct Pair {
    int a, b;
};

static void by_reference(int &scalar, int (&array)[10], Pair &pair, const int &constant) {
#pragma omp target map(tofrom : scalar)
    {
        scalar += constant;
        for (int i = 0; i < 10; i++) array[i] += constant;
        pair.b = constant;
    }
}

static void firstprivate_reference(int &scalar, Pair &pair, int &out) {
#pragma omp target firstprivate(scalar, pair) map(from : out)
    {
        scalar += 100;
        pair.a += 1000;
        out = scalar + pair.a;
    }
}

int main() {
    int scalar = 1, array[10] = {0}, out = 0;
    Pair pair = {5, 6};
    by_reference(scalar, array, pair, 3);
    CHECK_EQ(scalar, 4);
    CHECK_EQ(array[9], 3);
    CHECK_EQ(pair.b, 3);
    firstprivate_reference(scalar, pair, out);
    CHECK_EQ(out, 1109);
    CHECK_EQ(scalar, 4);
    CHECK_EQ(pair.a, 5);
    int &r = scalar;
#pragma omp target data map(tofrom : r)
    {
#pragma omp target map(tofrom : r)
        r += 1;
    }
    CHECK_EQ(scalar, 5);
    int *p = array, *&rp = p;
#pragma omp target map(tofrom : rp[0 : 10])
    rp[0] = 8;
    CHECK_EQ(array[0], 8);
    return verdict();
}
