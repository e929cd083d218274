// OMP_PROC_BIND=close: thread i goes to the place i behind the primary thread's; with more threads than places, they share evenly.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1},{0,1}
//@ env: OMP_PROC_BIND=close
//@ stock-fails: gcc because libgomp divides more threads than places unevenly
#include "bound.h"

int main(void) {
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
    for (int threads = 1; threads <= 8; threads++) {
        int at[8];
#pragma omp parallel num_threads(threads)
        {
            at[omp_get_thread_num()] = omp_get_place_num();
            check_at(omp_get_place_num());
            CHECK_EQ(omp_get_partition_num_places(), 3);
        }
        check_even(at, threads, 3, 0);
        for (int i = 0; i < threads && threads <= 3; i++) CHECK_EQ(at[i], i);
    }
    return verdict();
}
