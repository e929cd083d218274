// OMP_DISPLAY_AFFINITY in nested regions: each team says once where its threads are.
// OpenMP 5.1, 6.13
//@ env: OMP_DISPLAY_AFFINITY=true
//@ env: OMP_AFFINITY_FORMAT=SHOWN %L %a %n %N;
//@ env: OMP_MAX_ACTIVE_LEVELS=2
//@ env: OMP_NUM_THREADS=3,2
//@ stock-fails: gcc because libgomp displays a thread that is in the next region already
#include "shown.h"

int main(void) {
    catch_output();
#pragma omp parallel
    {
#pragma omp parallel
        spin_work(10);
    }
    int lines = new_lines(), found = 1;
    for (int outer = 0; outer < 3; outer++) {
        char line[64];
        snprintf(line, sizeof line, "SHOWN 1 0 %d 3;", outer);
        found &= strstr(shown_text, line) != NULL;
        for (int inner = 0; inner < 2; inner++) {
            snprintf(line, sizeof line, "SHOWN 2 %d %d 2;", outer, inner);
            found &= strstr(shown_text, line) != NULL;
        }
    }
    release_output();
    CHECK_EQ(lines, 3 + 6);
    CHECK(found, "a thread is missing: %s", shown_text);
    return verdict();
}
