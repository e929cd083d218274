// With dynamic adjustment on, a team may be smaller than asked for but the constructs in it work as ever.
// OpenMP 5.1, 2.6.1, 3.2.7
//@ env: OMP_DYNAMIC=true
#include "check.h"

int main(void) {
    int want = omp_get_max_threads();
    CHECK_EQ(omp_get_dynamic(), 1);
    for (int round = 0; round < 20; round++) {
        int size = 0, members = 0, loops = 0, singles = 0;
#pragma omp parallel
        {
#pragma omp atomic
            members++;
#pragma omp single
            {
                size = omp_get_num_threads();
                singles++;
            }
#pragma omp for schedule(dynamic) reduction(+ : loops)
            for (int i = 0; i < 40; i++) loops++;
        }
        CHECK(size >= 1 && size <= want, "%d", size);
        CHECK_EQ(members, size);
        CHECK_EQ(singles, 1);
        CHECK_EQ(loops, 40);
    }
    return verdict();
}
