// defaultmap for scalars, with every implicit behaviour. OpenMP 5.1, 2.21.7.3
//@ devices: 1 3
#include "device.h"

int main(void) {
    int x = 1, y = 2, seen = 0;
#pragma omp target defaultmap(tofrom : scalar)
    x += y;
    CHECK_EQ(x, 3);
#pragma omp target defaultmap(firstprivate : scalar) map(from : seen)
    {
        seen = x;
        x = 50;
    }
    CHECK_EQ(seen, 3);
    CHECK_EQ(x, 3);
#pragma omp target defaultmap(to : scalar) map(from : seen)
    {
        seen = x + y;
        y = 60;
    }
    CHECK_EQ(seen, 5);
    if (separate()) CHECK_EQ(y, 2);
#pragma omp target defaultmap(from : scalar)
    x = y = 9;
    CHECK_EQ(x, 9);
    CHECK_EQ(y, 9);
#pragma omp target defaultmap(alloc : scalar) map(from : seen)
    {
        x = 4;
        seen = x;
    }
    CHECK_EQ(seen, 4);
    if (separate()) CHECK_EQ(x, 9);
    y = 9;
#pragma omp target defaultmap(none : scalar) map(from : seen) firstprivate(y)
    seen = y;
    CHECK_EQ(seen, 9);
#pragma omp target defaultmap(default : scalar) map(from : seen)
    {
        seen = y;
        y = 0;
    }
    CHECK_EQ(seen, 9);
    CHECK_EQ(y, 9);
    return verdict();
}
