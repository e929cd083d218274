// schedule(runtime) and schedule(auto) under each kind that omp_set_schedule can choose; omp_get_schedule gives it back.
// OpenMP 5.1, 2.11.4, 3.2.11 and 3.2.12
#include "check.h"

enum { N = 137 };

static void run(void) {
    static int owner[N], hits[N], down[N];
    static const long base = 1L << 40;
    for (int i = 0; i < N; i++) owner[i] = -1, hits[i] = down[i] = 0;
#pragma omp parallel
    {
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < N; i++) {
            owner[i] = omp_get_thread_num();
            hits[i]++;
        }
#pragma omp for schedule(runtime)
        for (long i = base + N - 1; i >= base; i--) down[i - base]++;
#pragma omp for schedule(auto)
        for (unsigned i = 0; i < N; i++) hits[i]++;
    }
    omp_sched_t kind;
    int chunk, threads = omp_get_max_threads();
    omp_get_schedule(&kind, &chunk);
    for (int i = 0; i < N; i++) {
        CHECK_EQ(hits[i], 2);
        CHECK_EQ(down[i], 1);
        if (((unsigned)kind & 0xff) == omp_sched_static && chunk > 0) CHECK_EQ(owner[i], i / chunk % threads);
    }
}

int main(void) {
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    static const int chunks[] = {1, 2, 10, 500, 0};
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < 5; c++) {
            omp_set_schedule(kinds[k], chunks[c]);
            omp_sched_t kind;
            int chunk;
            omp_get_schedule(&kind, &chunk);
            CHECK_EQ((unsigned)kind & 0xff, kinds[k]);
            if (chunks[c] > 0 && kinds[k] != omp_sched_auto) CHECK_EQ(chunk, chunks[c]);
            run();
        }
    }
    return verdict();
}
