// Worksharing and synchronisation in functions called from a region bind to it; called outside, they run serially.
// OpenMP 5.1, 1.2.2 (orphaned constructs), 2.11
#include "check.h"

static int loop_hits[50], singles, section_hits, criticals, masters;

static void body(void) {
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 50; i++) loop_hits[i]++;
#pragma omp single
    singles++;
#pragma omp sections
    {
#pragma omp section
        {
#pragma omp atomic
            section_hits++;
        }
#pragma omp section
        {
#pragma omp atomic
            section_hits++;
        }
    }
#pragma omp critical
    criticals++;
#pragma omp master
    masters++;
#pragma omp barrier
}

int main(void) {
    int threads = omp_get_max_threads();
    body();
    for (int i = 0; i < 50; i++) CHECK_EQ(loop_hits[i], 1);
    CHECK_EQ(criticals, 1);
#pragma omp parallel
    body();
    for (int i = 0; i < 50; i++) CHECK_EQ(loop_hits[i], 2);
    body();
    CHECK_EQ(singles, 3);
    CHECK_EQ(section_hits, 6);
    CHECK_EQ(criticals, 2 + threads);
    CHECK_EQ(masters, 3);
    return verdict();
}
