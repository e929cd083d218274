// map(tofrom:), and map without a type, of every scalar type and of arrays. OpenMP 5.1, 2.21.7.1
//@ needs: offload 16
//@ devices: 1 3
// Why 16: clang 14 gives all target regions of a line one name, so its device code has the first of them alone.
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "device.h"

#define SCALARS(X)                                                                                                       \
    X(char, 'a') X(signed char, -3) X(short, -300) X(int, 70000) X(long, 1L << 40) X(long long, -(1LL << 50))              \
    X(unsigned char, 200) X(unsigned short, 60000) X(unsigned, 4000000000u) X(unsigned long, 1UL << 63) X(float, 1.5f) \
    X(double, 2.25) X(long double, 3.125L) X(bool, 0) X(float complex, 1.0f + 2.0f * I) X(double complex, 3.0 - 4.0 * I)

#define TRY(type, value)                                     \
    {                                                        \
        type scalar = value, other = value;                  \
        OMP(target map(tofrom : scalar) map(other))          \
        {                                                    \
            scalar = scalar + 1;                             \
            other = other + 1;                               \
        }                                                    \
        type want = value;                                   \
        want = want + 1;                                     \
        CHECK(scalar == want, "map(tofrom:) of " #type);     \
        CHECK(other == want, "map of " #type);               \
    }

int main(void) {
    SCALARS(TRY)
    short grid[5][7];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++) grid[i][j] = 10 * i + j;
#pragma omp target map(grid)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++) grid[i][j] *= 2;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++) CHECK_EQ(grid[i][j], 2 * (10 * i + j));
    return verdict();
}
