// __kmpc_reduce and __kmpc_reduce_nowait in every shape that a compiler may use: with and without a merging function, with and without
// code for atomics, with data of many sizes, several in a row, and alternating kinds. OpenMP 5.1, 2.21.5; LLVM's interface
//@ compilers: clang
#include <stdint.h>
#include <string.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;
typedef void (*merge)(void *, void *);
int __kmpc_global_thread_num(location *);
int __kmpc_reduce(location *, int, int, size_t, void *, merge, int32_t *);
void __kmpc_end_reduce(location *, int, int32_t *);
int __kmpc_reduce_nowait(location *, int, int, size_t, void *, merge, int32_t *);
void __kmpc_end_reduce_nowait(location *, int, int32_t *);
void __kmpc_barrier(location *, int);

static location plain = {0, 2, 0, 0, ";abi/kmpc_reduce_shapes.c;main;0;0;;"}, atomic = {0, 2 | 0x10, 0, 0, ";abi/kmpc_reduce_shapes.c;main;0;0;;"};
static int32_t lock[8], other_lock[8];

enum { MOST = 300 };
static int64_t sums[MOST];
static int width;

static void add(void *to, void *from) {
    int64_t *a = ((int64_t **)to)[0], *b = ((int64_t **)from)[0];
    for (int k = 0; k < width; k++) a[k] += b[k];
}

static void combine(int role, const int64_t *mine, int n) {
    for (int k = 0; k < n; k++) {
        if (role == 2) __atomic_fetch_add(&sums[k], mine[k], __ATOMIC_RELAXED);
        else sums[k] += mine[k];
    }
}

static void run(location *where, int thread, merge function, int n, int waits, int32_t *name) {
    int64_t mine[MOST];
    void *data[1] = {mine};
    for (int k = 0; k < n; k++) mine[k] = omp_get_thread_num() + k + 1;
    if (waits) {
        int role = __kmpc_reduce(where, thread, 1, sizeof data, data, function, name);
        CHECK(role >= 0 && role <= 2, "role %d", role);
        if (role) {
            combine(role, mine, n);
            __kmpc_end_reduce(where, thread, name);
        }
    } else {
        int role = __kmpc_reduce_nowait(where, thread, 1, sizeof data, data, function, name);
        CHECK(role >= 0 && role <= 2, "role %d", role);
        if (role) combine(role, mine, n);
        if (role == 1) __kmpc_end_reduce_nowait(where, thread, name);
    }
}

int main(void) {
    static const int widths[] = {1, 2, 17, MOST};
    int64_t threads = omp_get_max_threads();
    for (int w = 0; w < 4; w++) {
        width = widths[w];
        for (int shape = 0; shape < 8; shape++) {
            location *where = shape & 1 ? &atomic : &plain;
            merge function = shape & 2 ? add : NULL;
            // Without a merging function there must be code for atomics or a lock; both are given.
            int waits = shape & 4;
            memset(sums, 0, sizeof sums);
#pragma omp parallel
            {
                int thread = __kmpc_global_thread_num(&plain);
                for (int times = 0; times < 3; times++) {
                    run(where, thread, function, width, waits, times % 2 ? lock : other_lock);
                    // The sums are one variable: reductions that do not wait must not overlap with others' lock.
                    __kmpc_barrier(&plain, thread);
                }
            }
            for (int k = 0; k < width; k++)
                CHECK(sums[k] == 3 * (threads * (threads + 1) / 2 + threads * k), "shape %d, width %d: %d is %ld", shape, width, k, (long)sums[k]);
        }
    }
    return verdict();
}
