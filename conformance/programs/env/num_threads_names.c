// Numeric abstract names: n_cores is how many places the name cores makes, and so on; numbers and names in one list.
// OpenMP 6.0, 4.1.1, 4.1.3, 4.1.4
//@ needs: gcc 12
//@ env: OMP_NUM_THREADS=n_threads,2,N_Cores
//@ env: OMP_THREAD_LIMIT=n_threads
//@ env: OMP_TEAMS_THREAD_LIMIT=n_threads
//@ env: OMP_PLACES=threads
//@ stock-fails: gcc because libgomp does not know the names
//@ stock-fails: clang because libomp does not know the names
#include "check.h"

int main(void) {
    int places = omp_get_num_places();
    CHECK(places >= 1, "%d", places);
    CHECK_EQ(omp_get_max_threads(), places);
    CHECK_EQ(omp_get_thread_limit(), places);
    CHECK_EQ(omp_get_teams_thread_limit(), places);
#pragma omp parallel num_threads(1)
    {
        CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp parallel num_threads(1)
        CHECK(omp_get_max_threads() >= 1 && omp_get_max_threads() <= places, "%d cores", omp_get_max_threads());
    }
    return verdict();
}
