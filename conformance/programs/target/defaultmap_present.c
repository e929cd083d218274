// defaultmap(present): what no clause names must be there. OpenMP 5.1, 2.21.7.3
//@ devices: 1 3
//@ needs: gcc 14
#include "device.h"

struct pair {
    int a, b;
};

int main(void) {
    int array[10];
    struct pair pair = {1, 2};
    FILL(array, 10, 1);
#pragma omp target data map(tofrom : array, pair)
    {
#pragma omp target defaultmap(present : aggregate)
        {
            array[1] = 10;
            pair.b = 20;
        }
        if (separate()) CHECK_EQ(array[1] + pair.b, 3);
    }
    CHECK_EQ(array[1] + pair.b, 30);
    return verdict();
}
