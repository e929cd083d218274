// Counts of references: release lowers the count, delete makes it zero at once; `from` copies only when it becomes zero.
// OpenMP 5.1, 2.14.4, 2.21.7.1
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

static int a[32];

static int present(void) { return omp_target_is_present(a, omp_get_default_device()); }

int main(void) {
    for (int i = 0; i < 32; i++) a[i] = i;
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(alloc : a)
#pragma omp target
    for (int i = 0; i < 32; i++) a[i] += 100;
    if (separate()) CHECK_EQ(a[3], 3);
#pragma omp target exit data map(from : a)
    if (separate()) {
        CHECK_EQ(a[3], 3);
        CHECK(present(), "two references are left");
    }
#pragma omp target exit data map(release : a)
    if (separate()) CHECK(present(), "one reference is left");
#pragma omp target exit data map(from : a)
    CHECK_EQ(a[3], 103);
    if (separate()) CHECK(!present(), "no reference is left");

#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target
    a[0] = -1;
#pragma omp target exit data map(delete : a)
    if (separate()) {
        CHECK(!present(), "deleted");
        CHECK_EQ(a[0], 100);
    }
    // What is not there is ignored.
#pragma omp target exit data map(release : a)
#pragma omp target exit data map(delete : a)
#pragma omp target exit data map(from : a)
    if (separate()) CHECK_EQ(a[0], 100);
    return verdict();
}
