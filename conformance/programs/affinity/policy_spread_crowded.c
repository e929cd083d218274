// OMP_PROC_BIND=spread with more threads than places: each thread's place partition is its place alone.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1}
//@ env: OMP_PROC_BIND=spread
//@ stock-fails: gcc because libgomp divides more threads than places unevenly
#include "bound.h"

int main(void) {
    for (int threads = 3; threads <= 9; threads += 2) {
        int at[9];
#pragma omp parallel num_threads(threads)
        {
            int place = omp_get_place_num(), part = -1;
            at[omp_get_thread_num()] = place;
            check_at(place);
            CHECK_EQ(omp_get_partition_num_places(), 1);
            omp_get_partition_place_nums(&part);
            CHECK_EQ(part, place);
        }
        check_even(at, threads, 2, 0);
    }
    return verdict();
}
