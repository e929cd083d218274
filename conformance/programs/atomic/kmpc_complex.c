// The atomic routines on complex numbers, `__kmpc_atomic_cmplx{4,8,10}*`, against the same operator in C
// (OpenMP 5.1 2.19.7). Divisions have exact results, as libraries differ in the others. Those on `float _Complex` return through a pointer what they capture.
//@ compilers: clang
//@ libs: m
#include "kmpc_routines.h"

#define PAIR(n) ((n) + (n) * 2.0fi + 0.5f)

// The capturing routines on `float _Complex` in the shape of the others.
#define WRAPPED(name) \
    extern void __kmpc_atomic_##name(void *, int, float _Complex *, float _Complex, float _Complex *, int); \
    static float _Complex name(void *loc, int gtid, float _Complex *x, float _Complex v, int flag) { \
        float _Complex out; \
        __kmpc_atomic_##name(loc, gtid, x, v, &out, flag); \
        return out; \
    }
WRAPPED(cmplx4_add_cpt)
WRAPPED(cmplx4_sub_cpt)
WRAPPED(cmplx4_mul_cpt)
WRAPPED(cmplx4_div_cpt)
WRAPPED(cmplx4_sub_cpt_rev)
WRAPPED(cmplx4_div_cpt_rev)
extern void __kmpc_atomic_cmplx4_swp(void *, int, float _Complex *, float _Complex, float _Complex *);
static float _Complex cmplx4_swp(void *loc, int gtid, float _Complex *x, float _Complex v) {
    float _Complex out;
    __kmpc_atomic_cmplx4_swp(loc, gtid, x, v, &out);
    return out;
}

#define COMPLEX(N, T, CAPTURED) \
    static void complex_##N(void) { \
        const T start = 2 + 3.0fi, by = 0.75f - 0.625fi; \
        const T one = 1 + 1.0fi, two = 1 + 3.0fi, unit = 1.0fi; /* two = one * (2 + i) */ \
        READ_AND_WRITE(cmplx##N, T, PAIR); \
        UPDATE(cmplx##N##_add, T, T, start, by, x + v); \
        UPDATE(cmplx##N##_sub, T, T, start, by, x - v); \
        UPDATE(cmplx##N##_mul, T, T, start, by, x * v); \
        UPDATE(cmplx##N##_div, T, T, start, unit, x / v); \
        UPDATE(cmplx##N##_sub_rev, T, T, start, by, v - x); \
        UPDATE(cmplx##N##_div_rev, T, T, one, two, v / x); \
        CAPTURED(cmplx##N##_add_cpt, T, T, start, by, x + v); \
        CAPTURED(cmplx##N##_sub_cpt, T, T, start, by, x - v); \
        CAPTURED(cmplx##N##_mul_cpt, T, T, start, by, x * v); \
        CAPTURED(cmplx##N##_div_cpt, T, T, start, unit, x / v); \
        CAPTURED(cmplx##N##_sub_cpt_rev, T, T, start, by, v - x); \
        CAPTURED(cmplx##N##_div_cpt_rev, T, T, one, two, v / x); \
    }

COMPLEX(4, float _Complex, CAPTURE_BY)
COMPLEX(8, double _Complex, CAPTURE)
COMPLEX(10, long double _Complex, CAPTURE)

int main(void) {
    complex_4();
    SWAP_BY(cmplx4_swp, float _Complex, PAIR);
    complex_8();
    SWAP(cmplx8, double _Complex, PAIR);
    complex_10();
    SWAP(cmplx10, long double _Complex, PAIR);
    CHECK_EQ(corpus_routines, 3 * (3 + 4 * 2 + 2 * 2));
    return verdict();
}
