// Sections of length zero: the pointer is translated if what it points at is there, and nothing is allocated or copied.
// OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

int main(void) {
    int n = 20, zero = 0, seen = -1;
    int *p = malloc(n * sizeof *p);
    FILL(p, n, 3);
#pragma omp target enter data map(to : p[0 : n])
#pragma omp target map(alloc : p[0 : zero]) map(from : seen)
    {
        seen = p[7];
        p[7] = 4;
    }
    CHECK_EQ(seen, 3);
#pragma omp target map(p[:0]) map(from : seen)
    seen = p[7];
    CHECK_EQ(seen, 4);
#pragma omp target exit data map(delete : p[:0])
    if (separate()) {
        CHECK(!omp_target_is_present(p, omp_get_default_device()), "deleted by a section of length zero");
        CHECK_EQ(p[7], 3);
    }
    // Not there: the region gets a pointer that it may not follow, and that is all.
    int reached = 0;
#pragma omp target map(p[0 : zero]) map(from : reached)
    reached = 1;
    CHECK_EQ(reached, 1);
    int *nothing = NULL, null = 0;
#pragma omp target map(tofrom : nothing[0 : zero]) map(from : null)
    null = nothing == NULL;
    CHECK_EQ(null, 1);
    free(p);
    return verdict();
}
