// OMP_DISPLAY_AFFINITY: a region whose threads are placed otherwise than in the last one says so.
// OpenMP 5.1, 6.13
//@ env: OMP_DISPLAY_AFFINITY=true
//@ env: OMP_AFFINITY_FORMAT=SHOWN %n {%A}
//@ env: OMP_PLACES={0},{1},{0},{1}
//@ env: OMP_PROC_BIND=close
//@ env: OMP_NUM_THREADS=2
#include "shown.h"

int main(void) {
    int lines[6];
    catch_output();
#pragma omp parallel
    spin_work(10);
    lines[0] = new_lines();
    int apart = strstr(shown_text, "SHOWN 0 {0}") != NULL && strstr(shown_text, "SHOWN 1 {1}") != NULL;
#pragma omp parallel proc_bind(close)
    spin_work(10);
    lines[1] = new_lines();
#pragma omp parallel proc_bind(master)
    spin_work(10);
    lines[2] = new_lines();
    int together = strstr(shown_text, "SHOWN 0 {0}") != NULL && strstr(shown_text, "SHOWN 1 {0}") != NULL;
#pragma omp parallel proc_bind(master)
    spin_work(10);
    lines[3] = new_lines();
#pragma omp parallel proc_bind(spread)
    spin_work(10);
    lines[4] = new_lines();
#pragma omp parallel
    spin_work(10);
    lines[5] = new_lines();
    release_output();
    CHECK(apart && together, "the places are others");
    static const int wanted[] = {2, 0, 2, 0, 2, 2};
    for (int i = 0; i < 6; i++) CHECK(lines[i] == wanted[i], "region %d: %d lines, expected %d", i, lines[i], wanted[i]);
    return verdict();
}
