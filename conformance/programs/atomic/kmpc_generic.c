// Atomic updates by an operation of the program, `__kmpc_atomic_{1,2,4,8,10,16,20,32}`, on variables of as many bytes; and
// that those which take a lock agree with `__kmpc_atomic_start` and `__kmpc_atomic_end` (OpenMP 5.1 2.19.7).
//@ compilers: clang
#include "check.h"
#include <complex.h>
#include <stdint.h>

extern int __kmpc_global_thread_num(void *);
#define THREAD __kmpc_global_thread_num(0)

typedef struct {
    int64_t part[4];
} Wide;

static Wide plus(Wide a, Wide b) {
    for (int i = 0; i < 4; i++) a.part[i] += b.part[i] * (i + 1);
    return a;
}

#define ROUTINE(N, T, sum) \
    extern void __kmpc_atomic_##N(void *, int, void *, void *, void (*)(void *, void *, void *)); \
    static void operation_##N(void *out, void *a, void *b) { \
        T x = *(T *)a, y = *(T *)b; \
        *(T *)out = (sum); \
    } \
    static int together_##N(T *variable, T by) { \
        int calls = 0; \
        _Pragma("omp parallel reduction(+ : calls)") for (int i = 0; i < 10; i++, calls++) \
            __kmpc_atomic_##N(0, THREAD, variable, &by, operation_##N); \
        return calls; \
    }

ROUTINE(1, int8_t, x + y)
ROUTINE(2, int16_t, x + y)
ROUTINE(4, float, x + y)
ROUTINE(8, double, x + y)
ROUTINE(10, long double, x + y)
ROUTINE(16, double _Complex, x + y)
ROUTINE(20, long double _Complex, x + y)
ROUTINE(32, Wide, plus(x, y))

extern void __kmpc_atomic_start(void), __kmpc_atomic_end(void);

int main(void) {
    int8_t a = 0;
    int calls = together_1(&a, 3);
    CHECK_EQ(a, (int8_t)(calls * 3));
    int16_t b = 0;
    calls = together_2(&b, -7);
    CHECK_EQ(b, calls * -7);
    float c = 0;
    calls = together_4(&c, 0.5f);
    CHECK(c == calls * 0.5f, "4 bytes: %g after %d calls", c, calls);
    double d = 0;
    calls = together_8(&d, 0.25);
    CHECK(d == calls * 0.25, "8 bytes: %g after %d calls", d, calls);
    long double e = 0;
    calls = together_10(&e, 0.125L);
    CHECK(e == calls * 0.125L, "10 bytes: %Lg after %d calls", e, calls);
    double _Complex f = 0;
    calls = together_16(&f, 1 - 2.0i);
    CHECK(f == calls * (1 - 2.0i), "16 bytes: %g after %d calls", creal(f), calls);
    long double _Complex g = 0;
    calls = together_20(&g, 1 - 2.0i);
    CHECK(g == calls * (1 - 2.0i), "20 bytes: %Lg after %d calls", creall(g), calls);
    Wide h = {{0}};
    calls = together_32(&h, (Wide){{1, 2, 3, 4}});
    for (int i = 0; i < 4; i++) CHECK_EQ(h.part[i], calls * (i + 1) * (i + 1));

    Wide one = {{1, 1, 1, 1}}, both = {{0}};
    calls = 0;
#pragma omp parallel reduction(+ : calls)
    for (int i = 0; i < 20; i++, calls++) {
        if ((omp_get_thread_num() + i) % 2) {
            __kmpc_atomic_32(0, THREAD, &both, &one, operation_32);
        } else {
            __kmpc_atomic_start();
            both = plus(both, one);
            __kmpc_atomic_end();
        }
    }
    for (int i = 0; i < 4; i++) CHECK_EQ(both.part[i], calls * (i + 1));
    return verdict();
}
