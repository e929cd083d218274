// Static schedule numbers and how they divide: balanced, equal blocks, chunks, and blocks in multiples of a vector. Each iteration once,
// one last. OpenMP 5.1, 2.11.4 (schedule clause, simd modifier); LLVM's interface (sched_type)
//@ compilers: clang
#include <stdint.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;
int __kmpc_global_thread_num(location *);
void __kmpc_for_static_init_8(location *, int, int, int *, int64_t *, int64_t *, int64_t *, int64_t, int64_t);
void __kmpc_for_static_fini(location *, int);

static location where = {0, 2, 0, 0, ";abi/kmpc_static_forms.c;main;0;0;;"};

enum { MOST = 60, CHUNKED = 33, STATIC = 34, BALANCED_CHUNKED = 45, MONOTONIC = 1 << 29 };

static int owner[MOST], hits[MOST];

static void run(int number, int n, int chunk) {
    int lasts = 0, chunks = (number & 63) == CHUNKED;
    for (int k = 0; k < MOST; k++) hits[k] = 0, owner[k] = -1;
#pragma omp parallel reduction(+ : lasts)
    {
        int64_t low = 0, high = n - 1, stride = 0;
        int last = 0, thread = __kmpc_global_thread_num(&where);
        __kmpc_for_static_init_8(&where, thread, number, &last, &low, &high, &stride, 1, chunk);
        do {
            for (int64_t k = low; k <= high && k < n; k++) {
                owner[k] = omp_get_thread_num();
                __atomic_fetch_add(&hits[k], 1, __ATOMIC_RELAXED);
            }
            low += stride, high += stride;
        } while (chunks && low < n);
        lasts += last;
        __kmpc_for_static_fini(&where, thread);
    }
    CHECK(lasts == 1, "schedule %d, %d: %d last", number, n, lasts);
    int threads = omp_get_max_threads(), sizes[64] = {0};
    for (int k = 0; k < n; k++) {
        CHECK(hits[k] == 1, "schedule %d: %d of %d ran %d times", number, k, n, hits[k]);
        if (owner[k] >= 0) sizes[owner[k]]++;
        if (chunks) CHECK_EQ(owner[k], k / chunk % threads);
        else if (k) CHECK(owner[k] == owner[k - 1] || owner[k] == owner[k - 1] + 1, "schedule %d: %d of %d", number, k, n);
    }
    for (int t = 0; t < threads; t++) {
        if (number == STATIC) CHECK(sizes[t] == n / threads + (t < n % threads), "static: thread %d has %d of %d", t, sizes[t], n);
        // All blocks but the last that has iterations are whole vectors.
        if (number == BALANCED_CHUNKED && threads > 1 && sizes[t] && owner[n - 1] != t)
            CHECK(sizes[t] % chunk == 0, "simd: thread %d has %d of %d", t, sizes[t], n);
    }
}

int main(void) {
    for (int n = 1; n <= MOST; n += 1 + n / 7) {
        for (int chunk = 1; chunk <= 8; chunk *= 2) {
            run(CHUNKED, n, chunk);
            run(STATIC, n, 1);
            run(BALANCED_CHUNKED, n, chunk);
            run(CHUNKED | MONOTONIC, n, chunk);
        }
    }
    return verdict();
}
