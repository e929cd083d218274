// The atomic routines on reals, `__kmpc_atomic_float{4,8,10}*`: every operator, reversed and capturing, against the same
// operator in C (OpenMP 5.1 2.19.7).
//@ compilers: clang
#include "kmpc_routines.h"

#define VALUE(n) ((n) + 0.25f)

#define REAL(N, T) \
    static void real_##N(void) { \
        const T third = (T)1 / 3; \
        READ_AND_WRITE(float##N, T, VALUE); \
        SWAP(float##N, T, VALUE); \
        OPERATOR(float##N##_add, T, T, third, third, x + v); \
        OPERATOR(float##N##_sub, T, T, third, 7 * third, x - v); \
        OPERATOR(float##N##_mul, T, T, third, 1 + third / 64, x * v); \
        OPERATOR(float##N##_div, T, T, 100, 1 + third / 64, x / v); \
        OPERATOR(float##N##_min, T, T, third, -third, x < v ? x : v); \
        OPERATOR(float##N##_max, T, T, third, 2 * third, x > v ? x : v); \
        REVERSED(float##N##_sub, T, T, third, 7, v - x); \
        REVERSED(float##N##_div, T, T, third, 7, v / x); \
    }

REAL(4, float)
REAL(8, double)
REAL(10, long double)

int main(void) {
    real_4();
    real_8();
    real_10();
    CHECK_EQ(corpus_routines, 3 * (3 + 6 * 2 + 2 * 2));
    return verdict();
}
