// The data that libomp's users may look at: levels of debugging output, and the ways of mutual exclusion.
//@ compilers: clang
#include "check.h"

extern int kmp_a_debug, kmp_b_debug, kmp_c_debug, kmp_d_debug, kmp_e_debug, kmp_f_debug, kmp_diag;
extern const struct {
    const char *name;
    int number;
} kmp_mutex_impl_info[];

int main(void) {
    CHECK_EQ(kmp_a_debug + kmp_b_debug + kmp_c_debug + kmp_d_debug + kmp_e_debug + kmp_f_debug + kmp_diag, 0);
    CHECK(kmp_mutex_impl_info[0].name != NULL, "no name");
    CHECK_EQ(kmp_mutex_impl_info[0].number, 0);
    CHECK_EQ(kmp_mutex_impl_info[1].number, 1);
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    return verdict();
}
