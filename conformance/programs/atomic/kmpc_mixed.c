// The atomic routines that compute in a wider type than the variable's, `__kmpc_atomic_*_{float8,cmplx8}`, against the same
// in C (OpenMP 5.1 2.19.7).
//@ compilers: clang
//@ libs: m
#include "kmpc_routines.h"
#include <stdint.h>

#define INTEGER(N, T) \
    UPDATE(fixed##N##_mul_float8, T, double, 100, 0.75, (double)x * v); \
    UPDATE(fixed##N##_div_float8, T, double, 100, -1.25, (double)x / v)

int main(void) {
    INTEGER(1, int8_t);
    INTEGER(2, int16_t);
    INTEGER(4, int32_t);
    INTEGER(8, int64_t);
    UPDATE(float4_add_float8, float, double, 0.1f, 0.1, (double)x + v);
    UPDATE(float4_sub_float8, float, double, 0.1f, 0.7, (double)x - v);
    UPDATE(float4_mul_float8, float, double, 0.1f, 1.01, (double)x * v);
    UPDATE(float4_div_float8, float, double, 0.1f, 0.99, (double)x / v);
    const double _Complex by = 0.7 - 0.6i;
    UPDATE(cmplx4_add_cmplx8, float _Complex, double _Complex, 2 + 3.0fi, by, (double _Complex)x + v);
    UPDATE(cmplx4_sub_cmplx8, float _Complex, double _Complex, 2 + 3.0fi, by, (double _Complex)x - v);
    UPDATE(cmplx4_mul_cmplx8, float _Complex, double _Complex, 2 + 3.0fi, by, (double _Complex)x * v);
    UPDATE(cmplx4_div_cmplx8, float _Complex, double _Complex, 2 + 3.0fi, 1.0i, (double _Complex)x / v);
    CHECK_EQ(corpus_routines, 4 * 2 + 4 + 4);
    return verdict();
}
