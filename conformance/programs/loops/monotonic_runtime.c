// schedule(monotonic: runtime) ascends whatever run-sched-var says, and a monotonic run-sched-var makes plain schedule(runtime) ascend;
// libomp's kinds 101 and 102 are accepted by omp_set_schedule where there are any. OpenMP 5.1, 2.11.4.1, 3.2.11
//@ stock-fails: clang because libomp aborts on one of its further kinds with the monotonic modifier
#include "check.h"

enum { N = 400 };

static int hits[N];

static void ascending(const char *what) {
#pragma omp parallel
    {
        int before = -1;
#pragma omp for schedule(runtime)
        for (int i = 0; i < N; i++) {
            CHECK(i > before, "%s: %d after %d", what, i, before);
            before = i;
            hits[i]++;
        }
    }
    for (int i = 0; i < N; i++) {
        CHECK(hits[i] == 1, "%s: %d ran %d times", what, i, hits[i]);
        hits[i] = 0;
    }
}

static void complete(const char *what) {
#pragma omp parallel
    {
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < N; i++) hits[i]++;
    }
    for (int i = 0; i < N; i++) {
        CHECK(hits[i] == 1, "%s: %d ran %d times", what, i, hits[i]);
        hits[i] = 0;
    }
}

int main(void) {
    for (int chunk = 0; chunk < 10; chunk += 3) {
        omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, chunk);
        ascending("monotonic dynamic");
        omp_sched_t kind;
        int size;
        omp_get_schedule(&kind, &size);
        CHECK_EQ((unsigned)kind & 0x7fffffff, omp_sched_dynamic);
        omp_set_schedule(omp_sched_guided | omp_sched_monotonic, chunk);
        ascending("monotonic guided");
        omp_set_schedule(omp_sched_static | omp_sched_monotonic, chunk);
        ascending("monotonic static");
        for (int extra = 101; extra <= 102; extra++) {
            omp_set_schedule((omp_sched_t)extra, chunk);
            complete("further kinds");
            omp_set_schedule((omp_sched_t)((unsigned)extra | 0x80000000u), chunk);
            ascending("monotonic further kinds");
            omp_set_schedule(omp_sched_static, 0);
        }
    }
    return verdict();
}
