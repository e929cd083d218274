// Places without a policy: threads are bound as `true` has it, far from each other where places are left.
// OpenMP 5.1, 6.4: with `true` the policy is implementation defined
//@ env: OMP_PLACES={0},{1},{0},{1},{0},{1},{0},{1}
#include "bound.h"

int main(void) {
    static const int sizes[] = {2, 4, 8, 1, 4};
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_true);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int threads = sizes[i];
#pragma omp parallel num_threads(threads)
        check_at(8 / threads * omp_get_thread_num());
    }
    return verdict();
}
