// A team that changes its size is placed anew each time; one that does not keeps its places.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1},{0},{1},{0},{1},{0},{1}
//@ env: OMP_PROC_BIND=spread
#include "bound.h"

int main(void) {
    static const int sizes[] = {2, 4, 4, 8, 2, 1, 8, 8, 4};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int threads = sizes[i];
#pragma omp parallel num_threads(threads)
        {
            check_at(8 / threads * omp_get_thread_num());
            CHECK_EQ(omp_get_partition_num_places(), 8 / threads);
        }
    }
    return verdict();
}
