// OMP_DISPLAY_AFFINITY with teams: the threads of the parallel regions are displayed, by team, and the league itself is not.
// OpenMP 5.1, 6.13
//@ env: OMP_DISPLAY_AFFINITY=true
//@ env: OMP_AFFINITY_FORMAT=SHOWN %t/%T %n/%N %L;
//@ env: OMP_NUM_THREADS=2
//@ stock-fails: gcc because libgomp displays the first team only
//@ stock-fails: clang because libomp displays the initial threads of the league and not their teams
#include "shown.h"

int main(void) {
    catch_output();
#pragma omp teams num_teams(2)
    {
#pragma omp parallel
        spin_work(10);
    }
    int lines = new_lines(), found = 1;
    for (int team = 0; team < 2; team++)
        for (int thread = 0; thread < 2; thread++) {
            char line[64];
            snprintf(line, sizeof line, "SHOWN %d/2 %d/2 1;", team, thread);
            found &= strstr(shown_text, line) != NULL;
        }
    release_output();
    CHECK_EQ(lines, 4);
    CHECK(found, "a thread is missing: %s", shown_text);
    return verdict();
}
