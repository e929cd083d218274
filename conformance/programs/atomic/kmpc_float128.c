// The atomic routines on `_Float128` and on complex numbers of it, and those that compute in it (`_fp`), against the same
// in C (OpenMP 5.1 2.19.7). libiomp5 has them, libomp as Debian builds it does not.
//@ compilers: clang
//@ libs: m
//@ stock-fails: clang because its libomp is built without these routines
#define DECLARED extern __attribute__((weak))
#include "kmpc_routines.h"
#include <stdint.h>

#define VALUE(n) ((n) + 0.25f)
#define PAIR(n) ((n) + (n) * 2.0fi + 0.5f)

#define BY_FLOAT128(type, T, start) \
    do { \
        const __float128 by = (__float128)-9 / 7; \
        UPDATE(type##_add_fp, T, __float128, start, by, (__float128)x + v); \
        UPDATE(type##_sub_fp, T, __float128, start, -by, (__float128)x - v); \
        UPDATE(type##_mul_fp, T, __float128, start, 1 / by, (__float128)x * v); \
        UPDATE(type##_div_fp, T, __float128, start, by, (__float128)x / v); \
        UPDATE(type##_sub_rev_fp, T, __float128, start, -by, v - (__float128)x); \
        UPDATE(type##_div_rev_fp, T, __float128, 7, 100 - by, v / (__float128)x); \
        CAPTURE(type##_add_cpt_fp, T, __float128, start, -by, (__float128)x + v); \
        CAPTURE(type##_sub_cpt_fp, T, __float128, start, by, (__float128)x - v); \
        CAPTURE(type##_mul_cpt_fp, T, __float128, start, -1 / by, (__float128)x * v); \
        CAPTURE(type##_div_cpt_fp, T, __float128, start, -by, (__float128)x / v); \
        CAPTURE(type##_sub_cpt_rev_fp, T, __float128, start, -by, v - (__float128)x); \
        CAPTURE(type##_div_cpt_rev_fp, T, __float128, 7, 100 - by, v / (__float128)x); \
    } while (0)

int main(void) {
    const __float128 third = (__float128)1 / 3;
    READ_AND_WRITE(float16, __float128, VALUE);
    SWAP(float16, __float128, VALUE);
    OPERATOR(float16_add, __float128, __float128, third, third, x + v);
    OPERATOR(float16_sub, __float128, __float128, third, 7 * third, x - v);
    OPERATOR(float16_mul, __float128, __float128, third, 1 + third / 64, x * v);
    OPERATOR(float16_div, __float128, __float128, 100, 1 + third / 64, x / v);
    OPERATOR(float16_min, __float128, __float128, third, -third, x < v ? x : v);
    OPERATOR(float16_max, __float128, __float128, third, 2 * third, x > v ? x : v);
    REVERSED(float16_sub, __float128, __float128, third, 7, v - x);
    REVERSED(float16_div, __float128, __float128, third, 7, v / x);

    READ_AND_WRITE(cmplx16, __float128 _Complex, PAIR);
    SWAP(cmplx16, __float128 _Complex, PAIR);
    const __float128 _Complex start = 2 + 3.0fi, by = 0.75f - 0.625fi;
    OPERATOR(cmplx16_add, __float128 _Complex, __float128 _Complex, start, by, x + v);
    OPERATOR(cmplx16_sub, __float128 _Complex, __float128 _Complex, start, by, x - v);
    OPERATOR(cmplx16_mul, __float128 _Complex, __float128 _Complex, start, by, x * v);
    OPERATOR(cmplx16_div, __float128 _Complex, __float128 _Complex, start, by, x / v);
    REVERSED(cmplx16_sub, __float128 _Complex, __float128 _Complex, start, by, v - x);
    REVERSED(cmplx16_div, __float128 _Complex, __float128 _Complex, start, by, v / x);

    // Narrow integers with operands that keep to their range.
    BY_FLOAT128(fixed4, int32_t, 1000);
    BY_FLOAT128(fixed8, int64_t, 1000);
    BY_FLOAT128(float4, float, 1.5f);
    BY_FLOAT128(float8, double, 1.5);
    BY_FLOAT128(float10, long double, 1.5L);
    CHECK_EQ(corpus_routines, 3 + 16 + 3 + 12 + 5 * 12);
    return verdict();
}
