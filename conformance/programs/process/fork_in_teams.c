// A child that was forked by the thread that encountered a teams construct, in its team, or in a parallel region there, comes to the
// end of the league, goes on behind it, and has regions of the full size there. OpenMP 5.1, 2.7
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ stock-fails: clang because libomp waits in the child for threads that fork did not copy
//@ threads: 1 2 3 8
//@ timeout: 90
#include "children.h"

int main(void) {
    pid_t child = -1;
    pid_t main_process = getpid();
#pragma omp teams num_teams(2) shared(child)
    {
        if (omp_get_team_num() == 0) {
            child = fork();
            if (child == 0) child_begins();
        }
    }
    if (child == 0) exit(getpid() != main_process && child_work() ? 17 : 1);
    child_ends(child, 17);

    child = -1;
#pragma omp teams num_teams(2) thread_limit(2) shared(child)
    {
        if (omp_get_team_num() == 0) {
#pragma omp parallel num_threads(2) shared(child)
            {
#pragma omp master
                {
                    child = fork();
                    if (child == 0) child_begins();
                }
            }
        }
    }
    if (child == 0) exit(omp_get_level() == 0 && omp_get_num_teams() == 1 && child_work() ? 18 : 1);
    child_ends(child, 18);
    CHECK(child_work(), "behind");
    return verdict();
}
