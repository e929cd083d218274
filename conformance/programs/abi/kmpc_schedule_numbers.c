// Every schedule number of the dispatch entry points, with each modifier, in four types: each iteration once, within bounds, one last
// chunk; ordered numbers keep the order. OpenMP 5.1, 2.11.4; LLVM's interface (sched_type)
//@ compilers: clang
#include <stdint.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;
int __kmpc_global_thread_num(location *);
void __kmpc_ordered(location *, int);
void __kmpc_end_ordered(location *, int);
void __kmpc_barrier(location *, int);

#define DECLARE(suffix, type, step)                                                             \
    void __kmpc_dispatch_init_##suffix(location *, int, int, type, type, step, step);           \
    int __kmpc_dispatch_next_##suffix(location *, int, int *, type *, type *, step *);          \
    void __kmpc_dispatch_fini_##suffix(location *, int);
DECLARE(4, int32_t, int32_t)
DECLARE(4u, uint32_t, int32_t)
DECLARE(8, int64_t, int64_t)
DECLARE(8u, uint64_t, int64_t)

static location where = {0, 2, 0, 0, ";abi/kmpc_schedule_numbers.c;main;0;0;;"};

enum { N = 93, MONOTONIC = 1 << 29, NONMONOTONIC = 1 << 30 };

static int hits[N], next, lasts;

#define RUN(suffix, type, stype, number, from, stride, chunk)                                                                \
    do {                                                                                                                     \
        int is_ordered = (number) % 128 >= 64 && (number) % 128 < 72;                                                    \
        type low, high, start = (type)(from), end = (type)((type)(from) + (type)((N - 1) * (stride)));                       \
        stype step;                                                                                                          \
        int last, before = -1;                                                                                               \
        __kmpc_dispatch_init_##suffix(&where, thread, number, start, end, stride, chunk);                                    \
        while (__kmpc_dispatch_next_##suffix(&where, thread, &last, &low, &high, &step)) {                                   \
            CHECK_EQ(step, stride);                                                                                          \
            if (last) __atomic_fetch_add(&lasts, 1, __ATOMIC_RELAXED);                                                       \
            for (type i = low;; i = (type)(i + (type)(stride))) {                                                            \
                int k = (int)((stype)(type)(i - start) / (stride));                                                          \
                CHECK(k >= 0 && k < N, #suffix " schedule %d: iteration %d", number, k);                                     \
                if (k < 0 || k >= N) break;                                                                                  \
                __atomic_fetch_add(&hits[k], 1, __ATOMIC_RELAXED);                                                           \
                if ((number) & MONOTONIC) CHECK(k > before, #suffix " schedule %d: %d after %d", number, k, before);         \
                before = k;                                                                                                  \
                if (is_ordered) {                                                                                            \
                    __kmpc_ordered(&where, thread);                                                                          \
                    CHECK(next == k, #suffix " schedule %d: %d instead of %d", number, k, next);                             \
                    next = k + 1;                                                                                            \
                    __kmpc_end_ordered(&where, thread);                                                                      \
                    __kmpc_dispatch_fini_##suffix(&where, thread);                                                           \
                }                                                                                                            \
                if (i == high) break;                                                                                        \
            }                                                                                                                \
        }                                                                                                                    \
        __kmpc_barrier(&where, thread);                                                                                      \
        _Pragma("omp single")                                                                                                \
        {                                                                                                                    \
            for (int k = 0; k < N; k++) {                                                                                    \
                CHECK(hits[k] == 1, #suffix " schedule %d: %d ran %d times", number, k, hits[k]);                            \
                hits[k] = 0;                                                                                                 \
            }                                                                                                                \
            CHECK(lasts == 1, #suffix " schedule %d: %d last chunks", number, lasts);                                        \
            next = lasts = 0;                                                                                                \
        }                                                                                                                    \
    } while (0)

static void all(int thread, int number, int chunk) {
    RUN(4, int32_t, int32_t, number, -40, 1, chunk);
    RUN(4u, uint32_t, int32_t, number, 4294967000u, 3, chunk);
    RUN(8, int64_t, int64_t, number, 5000000000000, -1000000007L, chunk);
    RUN(8u, uint64_t, int64_t, number, 18446744073709551000u, 5, chunk);
}

int main(void) {
    omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel
    {
        int thread = __kmpc_global_thread_num(&where);
        for (int chunk = 1; chunk <= 4; chunk += 3) {
            for (int number = 33; number <= 39; number++) all(thread, number, chunk);
            for (int number = 41; number <= 47; number++) all(thread, number, chunk);
            for (int number = 65; number <= 71; number++) all(thread, number, chunk);
            for (int number = 161; number <= 167; number++) all(thread, number, chunk);
            for (int number = 193; number <= 199; number++) all(thread, number, chunk);
            for (int number = 33; number <= 39; number++) all(thread, number | MONOTONIC, chunk);
            for (int number = 35; number <= 37; number++) all(thread, number | NONMONOTONIC, chunk);
        }
    }
    return verdict();
}
