// num_teams with a lower and an upper bound: as many teams as lie between them. OpenMP 5.1, 2.7
//@ stock-fails: clang because libomp makes no more teams than there are CPUs
//@ needs: gcc 12
#include "check.h"

int main(void) {
    int teams = 0;
#ifdef __clang__
    void __kmpc_push_num_teams_51(void *, int, int, int, int);
    int __kmpc_global_thread_num(void *);
    __kmpc_push_num_teams_51(0, __kmpc_global_thread_num(0), 3, 6, 0);
#pragma omp teams reduction(+ : teams)
    teams++;
#else
#pragma omp teams num_teams(3 : 6) reduction(+ : teams)
    teams++;
#endif
    CHECK(teams >= 3 && teams <= 6, "%d teams", teams);
    return verdict();
}
