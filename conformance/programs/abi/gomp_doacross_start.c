// GOMP_loop_doacross_start and GOMP_loop_ull_doacross_start: the schedule as an argument, chunks that tile the outermost loop, zeroed
// memory that the threads share, posts and waits. OpenMP 5.1, 2.19.9; libgomp's interface
//@ compilers: gcc
//@ stock-fails: gcc because libgomp's own heap is damaged by the memory of guided loops
#include <stdbool.h>

#include "check.h"

typedef unsigned long long ull;
bool GOMP_loop_doacross_start(unsigned, long *, long, long, long *, long *, unsigned long *, void **);
bool GOMP_loop_ull_doacross_start(unsigned, ull *, long, ull, ull *, ull *, unsigned long *, void **);
bool GOMP_loop_doacross_static_start(unsigned, long *, long, long *, long *);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
bool GOMP_loop_ull_runtime_next(ull *, ull *);
void GOMP_loop_end(void);
void GOMP_doacross_post(long *);
void GOMP_doacross_wait(long, ...);
void GOMP_doacross_ull_post(ull *);
void GOMP_doacross_ull_wait(ull, ...);

enum { N = 30, M = 4, MEMORY = 3000 };

static int value[N + 1][M + 1];
static const char *shared_by_all;

static void cell(long i, long j) { value[i + 1][j + 1] = (value[i][j + 1] + value[i + 1][j] + 1) % 10007; }

static void verify(const char *what, long sched) {
#pragma omp single
    {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                CHECK(value[i + 1][j + 1] == (value[i][j + 1] + value[i + 1][j] + 1) % 10007, "%s %ld: %d %d", what, sched, i, j);
        __builtin_memset(value, 0, sizeof value);
        shared_by_all = 0;
    }
}

// All threads are given the same zeroed memory.
static void check_memory(char *memory) {
    CHECK(memory != 0, "no memory");
    const char *first = __atomic_load_n(&shared_by_all, __ATOMIC_RELAXED);
    if (!first) {
        const char *none = 0;
        __atomic_compare_exchange_n(&shared_by_all, &none, memory, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        first = __atomic_load_n(&shared_by_all, __ATOMIC_RELAXED);
    }
    CHECK(first == memory, "different memory");
    for (int k = 0; k < MEMORY; k++) CHECK(memory[k] == 0, "memory is not zeroed at %d", k);
}

int main(void) {
    static const long scheds[] = {1, 2, 3, 0, 4, 0x80000000l | 2, 0x80000000l, 1};
    omp_set_schedule(omp_sched_dynamic, 3);
    for (int s = 0; s < 8; s++) {
        long sched = scheds[s], chunk = s == 7 ? 2 : sched == 1 ? 0 : 1 + s % 3;
#pragma omp parallel
        {
            long counts[] = {N, M}, low, high;
            void *memory = (void *)MEMORY;
            bool more = GOMP_loop_doacross_start(2, counts, sched, chunk, &low, &high, 0, &memory);
            check_memory(memory);
            for (; more; more = GOMP_loop_runtime_next(&low, &high)) {
                CHECK(low >= 0 && low < high && high <= N, "chunk %ld to %ld", low, high);
                for (long i = low; i < high; i++)
                    for (long j = 0; j < M; j++) {
                        if (i) GOMP_doacross_wait(i - 1, j);
                        cell(i, j);
                        long own[] = {i, j};
                        GOMP_doacross_post(own);
                    }
            }
            GOMP_loop_end();
            verify("long", sched);
            ull ull_counts[] = {N, M}, first, past;
            memory = (void *)MEMORY;
            more = GOMP_loop_ull_doacross_start(2, ull_counts, sched, (ull)chunk, &first, &past, 0, &memory);
            check_memory(memory);
            for (; more; more = GOMP_loop_ull_runtime_next(&first, &past))
                for (ull i = first; i < past; i++)
                    for (ull j = 0; j < M; j++) {
                        if (i) GOMP_doacross_ull_wait(i - 1, j);
                        cell((long)i, (long)j);
                        ull own[] = {i, j};
                        GOMP_doacross_ull_post(own);
                    }
            GOMP_loop_end();
            verify("ull", sched);
            // Without a chunk size, static gives one block a thread.
            more = GOMP_loop_doacross_static_start(1, counts, 0, &low, &high);
            for (; more; more = GOMP_loop_static_next(&low, &high))
                for (long i = low; i < high; i++) {
                    if (i) GOMP_doacross_wait(i - 1);
                    for (long j = 0; j < M; j++) cell(i, j);
                    GOMP_doacross_post(&i);
                }
            GOMP_loop_end();
            verify("static", 0);
        }
    }
    return verdict();
}
