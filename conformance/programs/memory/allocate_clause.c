// The allocate clause: private, firstprivate and reduction variables of parallel regions, loops, sections and tasks live in memory
// of an allocator, aligned as its trait says. OpenMP 5.1, 2.13.4
//@ needs: gcc 11
#include "check.h"
#include <stdint.h>

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}};
    omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);
    CHECK(aligned != omp_null_allocator, "an allocator with an alignment");

    int x = 5, y[20], sum = 0, threads = 0;
    for (int i = 0; i < 20; i++) y[i] = i;
#pragma omp parallel firstprivate(x, y) reduction(+ : threads) allocate(aligned : x, y) allocate(omp_thread_mem_alloc : threads)
    {
        CHECK((uintptr_t)&x % 256 == 0 && (uintptr_t)&y % 256 == 0, "x at %p, y at %p", (void *)&x, (void *)&y);
        CHECK(x == 5 && y[19] == 19, "firstprivate values");
        x += omp_get_thread_num();
        y[3] = x;
        threads++;
#pragma omp barrier
        CHECK(y[3] == 5 + omp_get_thread_num(), "private values");
    }
    CHECK(x == 5 && y[3] == 3 && threads > 0, "originals stay");

    int last = 0;
#pragma omp parallel for private(x) lastprivate(last) reduction(+ : sum) allocate(aligned : x, sum) allocate(last)
    for (int i = 0; i < 100; i++) {
        x = i;
        sum += x;
        last = i;
    }
    CHECK_EQ(sum, 4950);
    CHECK_EQ(last, 99);

    int hits = 0;
#pragma omp parallel sections private(x) reduction(+ : hits) allocate(omp_pteam_mem_alloc : x)
    {
#pragma omp section
        { x = 1; hits += x; }
#pragma omp section
        { x = 2; hits += x; }
    }
    CHECK_EQ(hits, 3);

    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(i, y) private(x) allocate(omp_default_mem_alloc : x, y) shared(done)
        {
            x = y[i % 20] + i;
            CHECK_EQ(x, i % 20 + i);
#pragma omp atomic
            done++;
        }
    }
    CHECK_EQ(done, 50);
    omp_destroy_allocator(aligned);
    return verdict();
}
