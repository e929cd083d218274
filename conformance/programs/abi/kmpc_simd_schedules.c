// The schedules for simd loops: chunks of guided (46) are multiples of the vector but for the last, runtime (47) counts its chunk sizes in
// vectors, static blocks (45) are whole vectors. OpenMP 5.1, 2.11.4 (simd schedule modifier); LLVM's interface
//@ compilers: clang
#include <stdint.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;
int __kmpc_global_thread_num(location *);
void __kmpc_dispatch_init_4(location *, int, int, int, int, int, int);
int __kmpc_dispatch_next_4(location *, int, int *, int *, int *, int *);
void __kmpc_barrier(location *, int);

static location where = {0, 2, 0, 0, ";abi/kmpc_simd_schedules.c;main;0;0;;"};

enum { BLOCKS = 45, GUIDED = 46, RUNTIME = 47, WIDTH = 8 };

static int hits[1000];

static void run(int number, int n, int width, int least) {
#pragma omp parallel
    {
        int low, high, step, last, thread = __kmpc_global_thread_num(&where), alone = omp_get_num_threads() == 1;
        __kmpc_dispatch_init_4(&where, thread, number, 0, n - 1, 1, width);
        while (__kmpc_dispatch_next_4(&where, thread, &last, &low, &high, &step)) {
            int size = high - low + 1;
            CHECK(low >= 0 && high < n && size > 0, "schedule %d: %d to %d of %d", number, low, high, n);
            if (high < n - 1 && !alone) {
                CHECK(size % width == 0, "schedule %d: %d iterations, from %d of %d", number, size, low, n);
                CHECK(size >= least, "schedule %d: only %d iterations", number, size);
                CHECK(low % width == 0, "schedule %d: a chunk begins at %d", number, low);
            }
            for (int k = low; k <= high; k++) __atomic_fetch_add(&hits[k], 1, __ATOMIC_RELAXED);
        }
        __kmpc_barrier(&where, thread);
    }
    for (int k = 0; k < n; k++) {
        CHECK(hits[k] == 1, "schedule %d: %d of %d ran %d times", number, k, n, hits[k]);
        hits[k] = 0;
    }
}

int main(void) {
    static const int counts[] = {1, 7, 8, 9, 100, 999};
    for (int c = 0; c < 6; c++) {
        run(BLOCKS, counts[c], WIDTH, WIDTH);
        run(GUIDED, counts[c], WIDTH, WIDTH);
        omp_set_schedule(omp_sched_dynamic, 3);
        run(RUNTIME, counts[c], WIDTH, 3 * WIDTH);
        omp_set_schedule(omp_sched_guided, 2);
        run(RUNTIME, counts[c], WIDTH, 2 * WIDTH);
        omp_set_schedule(omp_sched_static, 0);
        run(RUNTIME, counts[c], WIDTH, WIDTH);
        omp_set_schedule(omp_sched_static, 2);
        run(RUNTIME, counts[c], WIDTH, 2 * WIDTH);
    }
    return verdict();
}
