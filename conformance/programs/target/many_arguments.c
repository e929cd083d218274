// A kernel with forty arguments of many types. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
    double b0 = 10, b1 = 11, b2 = 12, b3 = 13, b4 = 14, b5 = 15, b6 = 16, b7 = 17, b8 = 18, b9 = 19;
    short c0[2] = {20, 20}, c1[2] = {21, 21}, c2[2] = {22, 22}, c3[2] = {23, 23}, c4[2] = {24, 24};
    long d0 = 25, d1 = 26, d2 = 27, d3 = 28, d4 = 29;
    float e0 = 30, e1 = 31, e2 = 32, e3 = 33, e4 = 34;
    char f0 = 35, f1 = 36, f2 = 37, f3 = 38, f4 = 39;
    double sum = 0;
#pragma omp target map(tofrom : sum) map(tofrom : d0, d1, d2, d3, d4)
    {
        sum += a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9;
        sum += b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9;
        sum += c0[1] + c1[0] + c2[1] + c3[0] + c4[1];
        sum += d0 + d1 + d2 + d3 + d4;
        sum += e0 + e1 + e2 + e3 + e4;
        sum += f0 + f1 + f2 + f3 + f4;
        d0 = c0[0]++;
        d4 = ++c4[0];
    }
    CHECK(sum == 780, "%g", sum);
    CHECK_EQ(d0, 20);
    CHECK_EQ(d4, 25);
    CHECK_EQ(c0[0], 21);
    CHECK_EQ(c4[0], 25);
    return verdict();
}
