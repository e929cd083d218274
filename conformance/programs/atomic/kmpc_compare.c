// Atomic compare and swap through `__kmpc_atomic_{bool,val}_{1,2,4,8}_cas`, with and without capture
// (OpenMP 5.1 2.19.7).
//@ compilers: clang
#include "check.h"
#include <stdbool.h>
#include <stdint.h>

extern int __kmpc_global_thread_num(void *);
#define THREAD __kmpc_global_thread_num(0)

#define ROUTINES(N, T) \
    extern bool __kmpc_atomic_bool_##N##_cas(void *, int, T *, T, T); \
    extern T __kmpc_atomic_val_##N##_cas(void *, int, T *, T, T); \
    extern bool __kmpc_atomic_bool_##N##_cas_cpt(void *, int, T *, T, T, T *); \
    extern T __kmpc_atomic_val_##N##_cas_cpt(void *, int, T *, T, T, T *); \
    static void alone_##N(void) { \
        T x = -5, v = 99; \
        CHECK(!__kmpc_atomic_bool_##N##_cas(0, THREAD, &x, 5, 7) && x == -5, "bool_%d, unequal", N); \
        CHECK(__kmpc_atomic_bool_##N##_cas(0, THREAD, &x, -5, 7) && x == 7, "bool_%d, equal", N); \
        CHECK(__kmpc_atomic_val_##N##_cas(0, THREAD, &x, 5, 8) == 7 && x == 7, "val_%d, unequal", N); \
        CHECK(__kmpc_atomic_val_##N##_cas(0, THREAD, &x, 7, 8) == 7 && x == 8, "val_%d, equal", N); \
        CHECK(!__kmpc_atomic_bool_##N##_cas_cpt(0, THREAD, &x, 5, 9, &v) && x == 8, "bool_%d_cpt, unequal", N); \
        CHECK_EQ(v, 8); \
        v = 99; \
        CHECK(__kmpc_atomic_bool_##N##_cas_cpt(0, THREAD, &x, 8, 9, &v) && x == 9, "bool_%d_cpt, equal", N); \
        CHECK_EQ(v, 99); \
        CHECK(__kmpc_atomic_val_##N##_cas_cpt(0, THREAD, &x, 5, 10, &v) == 9 && x == 9, "val_%d_cpt, unequal", N); \
        CHECK_EQ(v, 9); \
        CHECK(__kmpc_atomic_val_##N##_cas_cpt(0, THREAD, &x, 9, 10, &v) == 9 && x == 10, "val_%d_cpt, equal", N); \
        CHECK_EQ(v, 10); \
    } \
    /* Each thread counts the variable up by itself: nobody's step is lost. */ \
    static void together_##N(void) { \
        T x = 0; \
        int steps = 0; \
        _Pragma("omp parallel reduction(+ : steps)") for (int i = 0; i < 3; i++, steps++) { \
            T seen = 0, now; \
            switch ((omp_get_thread_num() + i) % 3) { \
            case 0: \
                while ((now = __kmpc_atomic_val_##N##_cas(0, THREAD, &x, seen, seen + 1)) != seen) seen = now; \
                break; \
            case 1: \
                while (!__kmpc_atomic_bool_##N##_cas_cpt(0, THREAD, &x, seen, seen + 1, &seen)) continue; \
                break; \
            default: \
                while (!__kmpc_atomic_bool_##N##_cas(0, THREAD, &x, seen, seen + 1)) \
                    seen = __kmpc_atomic_val_##N##_cas_cpt(0, THREAD, &x, seen, seen, &now); \
            } \
        } \
        CHECK_EQ(x, steps); \
    }

ROUTINES(1, int8_t)
ROUTINES(2, int16_t)
ROUTINES(4, int32_t)
ROUTINES(8, int64_t)

int main(void) {
    alone_1();
    alone_2();
    alone_4();
    alone_8();
    together_1();
    together_2();
    together_4();
    together_8();
    return verdict();
}
