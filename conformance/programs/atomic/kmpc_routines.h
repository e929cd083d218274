// What the programs about `__kmpc_atomic_*` share: each routine is called once, then by all threads at once, and the
// variable must hold what the same operator, written in C, makes of it.
#ifndef CORPUS_KMPC_ROUTINES_H
#define CORPUS_KMPC_ROUTINES_H

#include "check.h"
#include <complex.h>
#include <string.h>

// How routines are declared: a program may say that some may be absent.
#ifndef DECLARED
#define DECLARED extern
#endif

// The calling thread's number, which libomp's own locks go by.
extern int __kmpc_global_thread_num(void *);
#define THREAD __kmpc_global_thread_num(0)

enum { ROUNDS = 20 };

static int corpus_routines;

static unsigned long long hash_bytes(const void *value, size_t size) {
    unsigned char bytes[32];
    memcpy(bytes, value, size);
    unsigned long long hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static unsigned long long hash_long_double(const void *value) { return hash_bytes(value, 10); }

static unsigned long long hash_complex_long_double(const void *value) {
    return hash_bytes(value, 10) * 3 + hash_bytes((const char *)value + sizeof(long double), 10);
}

// The bits of a value as a number; padding does not count.
#define BITS(x) \
    _Generic((x), long double: hash_long_double(&(x)), long double _Complex: hash_complex_long_double(&(x)), \
             default: hash_bytes(&(x), sizeof(x)))

// Updates. `next` is the operator in terms of x and v.
#define UPDATE(name, T, V, start, by, next) \
    do { \
        DECLARED void __kmpc_atomic_##name(void *, int, T *, V); \
        T cell = start, x = start; \
        V v = by; \
        int calls = 0; \
        __kmpc_atomic_##name(0, THREAD, &cell, v); \
        x = (T)(next); \
        CHECK(BITS(cell) == BITS(x), "%s, called once", #name); \
        OMP(parallel reduction(+ : calls)) \
        for (int i = 0; i < ROUNDS; i++, calls++) __kmpc_atomic_##name(0, THREAD, &cell, v); \
        for (int i = 0; i < calls; i++) x = (T)(next); \
        CHECK(BITS(cell) == BITS(x), "%s, called %d times", #name, calls); \
        corpus_routines++; \
    } while (0)

// Updates that capture; `function` has the shape of most of them. The values that all calls capture must be those that
// the variable takes one after the other.
#define CAPTURE_BY(function, T, V, start, by, next) \
    do { \
        T cell = start, x = start, got = function(0, THREAD, &cell, by, 0); \
        V v = by; \
        int calls = 0; \
        unsigned long long sum = 0; \
        CHECK(BITS(got) == BITS(x), "%s, old value", #function); \
        x = (T)(next); \
        CHECK(BITS(cell) == BITS(x), "%s, called once", #function); \
        got = function(0, THREAD, &cell, v, 1); \
        x = (T)(next); \
        CHECK(BITS(got) == BITS(x), "%s, new value", #function); \
        OMP(parallel reduction(+ : calls, sum)) \
        for (int i = 0; i < ROUNDS; i++, calls++) { \
            T mine = function(0, THREAD, &cell, v, 2); \
            sum += BITS(mine); \
        } \
        for (int i = 0; i < calls; i++) { \
            x = (T)(next); \
            sum -= BITS(x); \
        } \
        CHECK(BITS(cell) == BITS(x), "%s, called %d times", #function, calls); \
        CHECK(sum == 0, "%s captured other values than the variable had", #function); \
        corpus_routines++; \
    } while (0)

#define CAPTURE(name, T, V, start, by, next) \
    do { \
        DECLARED T __kmpc_atomic_##name(void *, int, T *, V, int); \
        CAPTURE_BY(__kmpc_atomic_##name, T, V, start, by, next); \
    } while (0)

// An operator and its capturing form.
#define OPERATOR(name, T, V, start, by, next) \
    UPDATE(name, T, V, start, by, next); \
    CAPTURE(name##_cpt, T, V, start, by, next)

// The reversed operator and its capturing form.
#define REVERSED(name, T, V, start, by, next) \
    UPDATE(name##_rev, T, V, start, by, next); \
    CAPTURE(name##_cpt_rev, T, V, start, by, next)

// Reading and writing: what is read has been written as a whole. `value(n)` gives different values for different n.
#define READ_AND_WRITE(type, T, value) \
    do { \
        DECLARED T __kmpc_atomic_##type##_rd(void *, int, T *); \
        DECLARED void __kmpc_atomic_##type##_wr(void *, int, T *, T); \
        T cell = value(0), first = value(0), second = value(1); \
        T got = __kmpc_atomic_##type##_rd(0, THREAD, &cell); \
        CHECK(BITS(got) == BITS(first), "%s_rd", #type); \
        __kmpc_atomic_##type##_wr(0, THREAD, &cell, second); \
        CHECK(BITS(cell) == BITS(second), "%s_wr", #type); \
        OMP(parallel) \
        for (int i = 0; i < ROUNDS; i++) { \
            __kmpc_atomic_##type##_wr(0, THREAD, &cell, (omp_get_thread_num() + i) % 2 ? second : first); \
            T seen = __kmpc_atomic_##type##_rd(0, THREAD, &cell); \
            CHECK(BITS(seen) == BITS(first) || BITS(seen) == BITS(second), "%s_rd of half a value", #type); \
        } \
        corpus_routines += 2; \
    } while (0)

// Swapping: all values that went in come out again, once.
#define SWAP_BY(function, T, value) \
    do { \
        T cell = value(0); \
        unsigned long long sum = BITS(cell); \
        OMP(parallel reduction(+ : sum)) \
        for (int i = 0; i < ROUNDS; i++) { \
            T mine = value((1 + omp_get_thread_num() * ROUNDS + i)), got; \
            sum += BITS(mine); \
            got = function(0, THREAD, &cell, mine); \
            sum -= BITS(got); \
        } \
        CHECK(sum == BITS(cell), "%s lost a value", #function); \
        corpus_routines++; \
    } while (0)

#define SWAP(type, T, value) \
    do { \
        DECLARED T __kmpc_atomic_##type##_swp(void *, int, T *, T); \
        SWAP_BY(__kmpc_atomic_##type##_swp, T, value); \
    } while (0)

#endif
