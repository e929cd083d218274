// declare target link: storage on the device only while the variable is mapped. OpenMP 5.1, 2.14.7
//@ devices: 1 3
#include "device.h"

int big[1000];
double other = 1.5;
#pragma omp declare target link(big, other)

#pragma omp declare target
static int sum_of_big(void) {
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += big[i];
    return sum;
}
#pragma omp end declare target

int main(void) {
    int sum = 0;
    FILL(big, 1000, 1);
#pragma omp target map(tofrom : big) map(from : sum)
    {
        sum = sum_of_big();
        big[999] = 5;
    }
    CHECK_EQ(sum, 1000);
    CHECK_EQ(big[999], 5);
    FILL(big, 1000, 2);
#pragma omp target enter data map(to : big, other)
    FILL(big, 1000, 3);
#pragma omp target map(from : sum)
    {
        sum = sum_of_big();
        other *= 2;
    }
    CHECK_EQ(sum, separate() ? 2000 : 3000);
#pragma omp target update to(big[0 : 500])
#pragma omp target map(from : sum)
    sum = sum_of_big();
    CHECK_EQ(sum, separate() ? 2500 : 3000);
#pragma omp target exit data map(from : big, other)
    CHECK(other == 3, "%g", other);
    CHECK_EQ(big[0] + big[999], separate() ? 5 : 6);
    return verdict();
}
