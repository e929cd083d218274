// defaultmap for arrays and structures. OpenMP 5.1, 2.21.7.3
//@ devices: 1 3
#include "device.h"

struct pair {
    int a, b;
};

int main(void) {
    int array[10], seen = 0;
    struct pair pair = {1, 2};
    FILL(array, 10, 1);
#pragma omp target defaultmap(to : aggregate) map(from : seen)
    {
        seen = array[9] + pair.b;
        array[9] = pair.b = 40;
    }
    CHECK_EQ(seen, 3);
    if (separate()) CHECK(array[9] == 1 && pair.b == 2, "came back: %d %d", array[9], pair.b);
#pragma omp target defaultmap(from : aggregate)
    {
        FILL(array, 10, 7);
        pair.a = pair.b = 8;
    }
    CHECK(array[0] == 7 && array[9] == 7 && pair.a == 8 && pair.b == 8, "%d %d", array[0], pair.a);
#pragma omp target defaultmap(firstprivate : aggregate) map(from : seen)
    {
        seen = array[3] + pair.a;
        array[3] = pair.a = 0;
    }
    CHECK_EQ(seen, 15);
    CHECK_EQ(array[3] + pair.a, 15);
#pragma omp target defaultmap(alloc : aggregate) map(from : seen)
    {
        array[4] = 3;
        seen = array[4];
    }
    CHECK_EQ(seen, 3);
    if (separate()) CHECK_EQ(array[4], 7);
    array[4] = 7;
#pragma omp target defaultmap(tofrom : aggregate)
    array[4]++;
    CHECK_EQ(array[4], 8);
#pragma omp target defaultmap(none : aggregate) map(array) map(to : pair)
    array[4] += pair.a;
    CHECK_EQ(array[4], 16);
    return verdict();
}
