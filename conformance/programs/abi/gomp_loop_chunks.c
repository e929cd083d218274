// The chunks that GOMP_loop_*_start and _next hand out: within bounds, of the size asked for but for the last, guided ones never
// growing below the chunk; signed and unsigned 64-bit. OpenMP 5.1, 2.11.4, table 2.5; libgomp's interface
//@ compilers: gcc
#include <stdbool.h>

#include "check.h"

bool GOMP_loop_dynamic_start(long, long, long, long, long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_start(long, long, long, long, long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_static_start(long, long, long, long, long *, long *);
bool GOMP_loop_static_next(long *, long *);
typedef unsigned long long ull;
bool GOMP_loop_ull_dynamic_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_dynamic_next(ull *, ull *);
bool GOMP_loop_ull_guided_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_guided_next(ull *, ull *);
void GOMP_loop_end(void);

enum { N = 400 };

static int hits[N];

static void covered(const char *what, int step) {
    for (int i = 0; i < N; i++) {
        CHECK(hits[i] == (i % step == 0), "%s: %d ran %d times", what, i, hits[i]);
        hits[i] = 0;
    }
}

// Notes a chunk of `count` iterations that begins at iteration `first`.
static void note(const char *what, long first, long count, long chunk, long total, int exact) {
    CHECK(first >= 0 && count >= 1 && first + count <= total, "%s: chunk %ld+%ld", what, first, count);
    int last = first + count == total;
    if (exact) CHECK(count == chunk || last, "%s: %ld instead of %ld", what, count, chunk);
    else CHECK(count >= chunk || last, "%s: %ld below %ld", what, count, chunk);
}

int main(void) {
    for (long chunk = 1; chunk <= 50; chunk += 7) {
#pragma omp parallel
        {
            long low, high;
            bool more;
            for (more = GOMP_loop_dynamic_start(0, N, 4, chunk, &low, &high); more; more = GOMP_loop_dynamic_next(&low, &high)) {
                note("dynamic", low / 4, (high - low + 3) / 4, chunk, N / 4, 1);
                for (long i = low; i < high; i += 4) __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
            }
            GOMP_loop_end();
#pragma omp single
            covered("dynamic", 4);
            for (more = GOMP_loop_guided_start(N - 1, -1, -1, chunk, &low, &high); more; more = GOMP_loop_guided_next(&low, &high)) {
                note("guided", N - 1 - low, low - high, chunk, N, 0);
                for (long i = low; i > high; i--) __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
            }
            GOMP_loop_end();
#pragma omp single
            covered("guided", 1);
            for (more = GOMP_loop_static_start(0, N, 2, chunk, &low, &high); more; more = GOMP_loop_static_next(&low, &high)) {
                note("static", low / 2, (high - low + 1) / 2, chunk, N / 2, 1);
                CHECK_EQ(low / 2 / chunk % omp_get_num_threads(), omp_get_thread_num());
                for (long i = low; i < high; i += 2) __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
            }
            GOMP_loop_end();
#pragma omp single
            covered("static", 2);
            ull from = 18446744073709551000ull, first, past;
            for (more = GOMP_loop_ull_dynamic_start(true, from, from + N, 1, (ull)chunk, &first, &past); more;
                 more = GOMP_loop_ull_dynamic_next(&first, &past)) {
                note("ull dynamic", (long)(first - from), (long)(past - first), chunk, N, 1);
                for (ull i = first; i < past; i++) __atomic_fetch_add(&hits[i - from], 1, __ATOMIC_RELAXED);
            }
            GOMP_loop_end();
#pragma omp single
            covered("ull dynamic", 1);
            for (more = GOMP_loop_ull_guided_start(false, from + N - 2, from - 2, -2ull, (ull)chunk, &first, &past); more;
                 more = GOMP_loop_ull_guided_next(&first, &past)) {
                note("ull guided", (long)(from + N - 2 - first) / 2, (long)(first - past + 1) / 2, chunk, N / 2, 0);
                for (ull i = first; i > past; i -= 2) __atomic_fetch_add(&hits[i - from], 1, __ATOMIC_RELAXED);
            }
            GOMP_loop_end();
#pragma omp single
            covered("ull guided", 2);
        }
    }
    return verdict();
}
