// The count of references rises and falls with structured and unstructured constructs together. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

static int a[8];

static int present(void) { return !separate() || omp_target_is_present(a, omp_get_default_device()); }

int main(void) {
#pragma omp target enter data map(alloc : a)
#pragma omp target data map(tofrom : a)
    {
#pragma omp target exit data map(release : a)
        CHECK(present(), "the region's reference is left");
#pragma omp target
        a[0] = 1;
    }
    if (separate()) CHECK(!omp_target_is_present(a, omp_get_default_device()), "nothing holds it");
    CHECK_EQ(a[0], 1);
    a[1] = 0;
    for (int i = 0; i < 100; i++) {
#pragma omp target enter data map(to : a)
    }
#pragma omp target
    a[1] = 2;
    for (int i = 0; i < 99; i++) {
#pragma omp target exit data map(from : a)
        CHECK(present(), "after %d of 100 exits", i + 1);
    }
    if (separate()) CHECK_EQ(a[1], 0);
#pragma omp target exit data map(from : a)
    CHECK_EQ(a[1], 2);
    if (separate()) CHECK(!omp_target_is_present(a, omp_get_default_device()), "nothing holds it");
    return verdict();
}
