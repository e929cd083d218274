// kmp_get_num_known_threads counts the initial thread and the workers.
//@ compilers: clang
#include "check.h"

int kmp_get_num_known_threads(void);
int kmp_get_num_known_threads_(void);

int main(void) {
    CHECK_EQ(kmp_get_num_known_threads(), 1);
    int want = omp_get_max_threads();
#pragma omp parallel
    CHECK(kmp_get_num_known_threads() >= want, "%d", kmp_get_num_known_threads());
    CHECK(kmp_get_num_known_threads_() >= want, "%d", kmp_get_num_known_threads_());
    return verdict();
}
