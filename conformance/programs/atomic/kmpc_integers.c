// The atomic routines on integers, `__kmpc_atomic_fixed*`: every operator, reversed and capturing, against the same
// operator in C (OpenMP 5.1 2.19.7).
//@ compilers: clang
#include "kmpc_routines.h"
#include <stdint.h>

#define VALUE(n) (n)

// W is the type in which C computes without overflow.
#define SIGNED(N, T, W) \
    static void signed_##N(void) { \
        READ_AND_WRITE(fixed##N, T, VALUE); \
        SWAP(fixed##N, T, VALUE); \
        OPERATOR(fixed##N##_add, T, T, 100, -3, (W)x + (W)v); \
        OPERATOR(fixed##N##_sub, T, T, -100, 5, (W)x - (W)v); \
        OPERATOR(fixed##N##_mul, T, T, 3, -7, (W)x * (W)v); \
        OPERATOR(fixed##N##_div, T, T, -128, 3, x / v); \
        OPERATOR(fixed##N##_min, T, T, 5, -4, x < v ? x : v); \
        OPERATOR(fixed##N##_max, T, T, -5, 4, x > v ? x : v); \
        OPERATOR(fixed##N##_andb, T, T, 0x7c, 0x5a, x & v); \
        OPERATOR(fixed##N##_orb, T, T, 0x31, 0x5a, x | v); \
        OPERATOR(fixed##N##_xor, T, T, 0x31, -0x5a, x ^ v); \
        OPERATOR(fixed##N##_shl, T, T, 0x35, 1, (W)x << v); \
        OPERATOR(fixed##N##_shr, T, T, -0x75, 1, x >> v); \
        OPERATOR(fixed##N##_andl, T, T, 6, 1, x && v); \
        OPERATOR(fixed##N##_orl, T, T, 0, 6, x || v); \
        OPERATOR(fixed##N##_eqv, T, T, 0x31, 0x5a, x ^ ~v); \
        OPERATOR(fixed##N##_neqv, T, T, 0x31, 0x5a, x ^ v); \
        REVERSED(fixed##N##_sub, T, T, 11, 5, (W)v - (W)x); \
        REVERSED(fixed##N##_div, T, T, 7, 100, v / x); \
        REVERSED(fixed##N##_shl, T, T, 3, 0, v << x); \
        REVERSED(fixed##N##_shr, T, T, 1, 6, v >> x); \
    }

#define UNSIGNED(N, T) \
    static void unsigned_##N(void) { \
        OPERATOR(fixed##N##u_div, T, T, (T)-1, 2, x / v); \
        OPERATOR(fixed##N##u_shr, T, T, (T)-3, 1, x >> v); \
        REVERSED(fixed##N##u_div, T, T, 7, 200, v / x); \
        REVERSED(fixed##N##u_shr, T, T, 1, 6, v >> x); \
    }

SIGNED(1, int8_t, unsigned)
SIGNED(2, int16_t, unsigned)
SIGNED(4, int32_t, unsigned)
SIGNED(8, int64_t, uint64_t)
UNSIGNED(1, uint8_t)
UNSIGNED(2, uint16_t)
UNSIGNED(4, uint32_t)
UNSIGNED(8, uint64_t)

// Once, with operands at the ends of the type's range.
#define ONCE(name, T, start, by, want) \
    do { \
        extern void __kmpc_atomic_##name(void *, int, T *, T); \
        T cell = start; \
        __kmpc_atomic_##name(0, THREAD, &cell, by); \
        CHECK(cell == (T)(want), "%s is %lld", #name, (long long)cell); \
    } while (0)

static void ends_of_the_range(void) {
    ONCE(fixed1_add, int8_t, 127, 1, -128);
    ONCE(fixed2_sub, int16_t, INT16_MIN, 1, INT16_MAX);
    ONCE(fixed4_mul, int32_t, INT32_MAX, 2, -2);
    ONCE(fixed8_mul, int64_t, INT64_MAX, INT64_MAX, 1);
    ONCE(fixed1_shl_rev, int8_t, 5, 3, 96);
    ONCE(fixed2_shl_rev, int16_t, 5, 3, 96);
    ONCE(fixed4_shl_rev, int32_t, 30, 3, 3u << 30);
    ONCE(fixed8_shl_rev, int64_t, 62, 1, (int64_t)1 << 62);
    ONCE(fixed1_shl, int8_t, 1, 9, 0);
    ONCE(fixed1_shr, int8_t, -128, 20, -1);
    ONCE(fixed4_shr, int32_t, INT32_MIN, 31, -1);
    ONCE(fixed4u_shr, uint32_t, 0x80000000u, 31, 1);
    ONCE(fixed8u_div, uint64_t, UINT64_MAX, 2, UINT64_MAX / 2);
    ONCE(fixed8_min, int64_t, INT64_MAX, INT64_MIN, INT64_MIN);
    ONCE(fixed8_max, int64_t, INT64_MIN, INT64_MAX, INT64_MAX);
}

// A member of a packed structure lies where no instruction of its size is atomic.
static void unaligned(void) {
    extern void __kmpc_atomic_fixed8_add(void *, int, int64_t *, int64_t);
    struct __attribute__((packed)) { char before; int64_t value; char after; } packed[16] = {{0}};
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    {
        threads++;
        for (int i = 0; i < 16; i++)
            __kmpc_atomic_fixed8_add(0, THREAD, (int64_t *)((char *)&packed[i] + 1), i);
    }
    for (int i = 0; i < 16; i++) {
        CHECK_EQ(packed[i].value, threads * i);
        CHECK_EQ(packed[i].before + packed[i].after, 0);
    }
}

int main(void) {
    signed_1();
    signed_2();
    signed_4();
    signed_8();
    unsigned_1();
    unsigned_2();
    unsigned_4();
    unsigned_8();
    CHECK_EQ(corpus_routines, 4 * (3 + 15 * 2 + 4 * 2) + 4 * 8);
    ends_of_the_range();
    unaligned();
    return verdict();
}
