// The combined GOMP_parallel_loop_* entry points, old (start, body, end) and new, for each schedule, and GOMP_parallel_sections.
// OpenMP 5.1, 2.16.1; libgomp's GOMP_1.0 and GOMP_4.0 interfaces
//@ compilers: gcc
#include <stdbool.h>

#include "check.h"

typedef void body_fn(void *);

#define CHUNKED(kind)                                                                                          \
    void GOMP_parallel_loop_##kind##_start(body_fn *, void *, unsigned, long, long, long, long);               \
    void GOMP_parallel_loop_##kind(body_fn *, void *, unsigned, long, long, long, long, unsigned);             \
    bool GOMP_loop_##kind##_next(long *, long *);

CHUNKED(static)
CHUNKED(dynamic)
CHUNKED(guided)
void GOMP_parallel_loop_runtime_start(body_fn *, void *, unsigned, long, long, long);
void GOMP_parallel_loop_runtime(body_fn *, void *, unsigned, long, long, long, unsigned);
bool GOMP_loop_runtime_next(long *, long *);
void GOMP_parallel_sections_start(body_fn *, void *, unsigned, unsigned);
void GOMP_parallel_sections(body_fn *, void *, unsigned, unsigned, unsigned);
unsigned GOMP_sections_next(void);
void GOMP_loop_end_nowait(void);
void GOMP_sections_end_nowait(void);
void GOMP_parallel_end(void);

enum { N = 97 };

static int hits[N];

#define BODY(kind)                                                                             \
    static void kind##_body(void *step) {                                                      \
        long low, high, by = *(long *)step;                                                    \
        while (GOMP_loop_##kind##_next(&low, &high)) {                                         \
            for (long i = low; by > 0 ? i < high : i > high; i += by)                          \
                __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);                             \
        }                                                                                      \
        GOMP_loop_end_nowait();                                                                \
    }

BODY(static)
BODY(dynamic)
BODY(guided)
BODY(runtime)

static void sections_body(void *unused) {
    (void)unused;
    for (unsigned i = GOMP_sections_next(); i > 0; i = GOMP_sections_next()) __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
    GOMP_sections_end_nowait();
}

static void expect(const char *what, int first, int last, int step) {
    for (int i = 0; i < N; i++) {
        int want = step > 0 && i >= first && i <= last && (i - first) % step == 0;
        CHECK(hits[i] == want, "%s: %d ran %d times", what, i, hits[i]);
        hits[i] = 0;
    }
}

#define TRY(kind)                                                                \
    do {                                                                         \
        long by = 1, back = -3;                                                  \
        GOMP_parallel_loop_##kind##_start(kind##_body, &by, 0, 2, N, 1, chunk);  \
        kind##_body(&by);                                                        \
        GOMP_parallel_end();                                                     \
        expect(#kind " start", 2, N - 1, 1);                                     \
        GOMP_parallel_loop_##kind(kind##_body, &back, 0, 90, 0, -3, chunk, 0);   \
        expect(#kind, 3, 90, 3);                                                 \
        GOMP_parallel_loop_##kind(kind##_body, &by, 3, 5, 5, 1, chunk, 0);       \
        expect(#kind " empty", 1, 0, 1);                                         \
    } while (0)

int main(void) {
    for (long chunk = 1; chunk < 60; chunk += 19) {
        TRY(static);
        TRY(dynamic);
        TRY(guided);
    }
    long chunk = 0;
    TRY(static);
    long by = 2;
    omp_set_schedule(omp_sched_dynamic, 3);
    GOMP_parallel_loop_runtime_start(runtime_body, &by, 0, 0, N, 2);
    runtime_body(&by);
    GOMP_parallel_end();
    expect("runtime start", 0, N - 1, 2);
    GOMP_parallel_loop_runtime(runtime_body, &by, 2, 1, N, 2, 0);
    expect("runtime", 1, N - 1, 2);
    GOMP_parallel_sections_start(sections_body, NULL, 0, 9);
    sections_body(NULL);
    GOMP_parallel_end();
    expect("sections start", 1, 9, 1);
    GOMP_parallel_sections(sections_body, NULL, 0, 20, 0);
    expect("sections", 1, 20, 1);
    return verdict();
}
