// A pointer that is mapped by the construct that maps what it points to: both are, and each is counted. OpenMP 5.1, 2.21.7.1, 2.21.7.2
//@ devices: 1 3
//@ stock-fails: offload because it never releases the pointer
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ needs: gcc 14
#include "device.h"

static int *p;
static int a[10];

// Whether the pointer has a counterpart, and what it points to.
static void expect(int line, int pointer, int section) {
    if (!separate()) return;
    int device = omp_get_default_device();
    CHECK(!omp_target_is_present(&p, device) == !pointer, "line %d", line);
    CHECK(!omp_target_is_present(&p[1], device) == !section, "line %d", line);
}
#define EXPECT(pointer, section) expect(__LINE__, pointer, section)

static void released_apart(void) {
#pragma omp target enter data map(to : p[1 : 3]) map(to : p)
    EXPECT(1, 1);
#pragma omp target enter data map(to : p[1 : 3], p)
#pragma omp target exit data map(from : p[1 : 3])
    EXPECT(1, 1);
#pragma omp target exit data map(release : p)
    EXPECT(1, 1);
#pragma omp target exit data map(from : p[1 : 3])
    EXPECT(1, 0);
#pragma omp target exit data map(from : p)
    EXPECT(0, 0);
    CHECK(p == a, "the host's pointer has changed");
}

static void released_together(void) {
#pragma omp target enter data map(to : p[1 : 3], p)
#pragma omp target enter data map(to : p[1 : 3], p)
#pragma omp target exit data map(from : p[1 : 3], p)
    EXPECT(1, 1);
#pragma omp target exit data map(delete : p[1 : 3], p)
    EXPECT(0, 0);
    // The section alone does not map the pointer, though that is a global variable.
#pragma omp target enter data map(to : p[1 : 3])
    EXPECT(0, 1);
#pragma omp target exit data map(release : p[1 : 3], p)
    EXPECT(0, 0);
}

static void in_regions(void) {
    a[1] = 1;
#pragma omp target data map(tofrom : p[1 : 3]) map(to : p)
    {
        EXPECT(1, 1);
#pragma omp target
        p[1] += 10;
#pragma omp target update from(p[1 : 3])
        CHECK_EQ(a[1], 11);
    }
    EXPECT(0, 0);
#pragma omp target map(tofrom : p[1 : 3]) map(to : p)
    p[1] += 10;
    EXPECT(0, 0);
    CHECK_EQ(a[1], 21);
#pragma omp target enter data map(to : p[1 : 3], p)
    a[1] = 5;
#pragma omp target map(always, tofrom : p[1 : 3], p)
    p[1]++;
    CHECK_EQ(a[1], 6);
    EXPECT(1, 1);
#pragma omp target exit data map(delete : p[1 : 3], p)
    CHECK(p == a, "the host's pointer has changed");
}

// The pointer by its own address, as the device has it: it points to the device's array.
static void by_address(void) {
    int *q = a;
    a[1] = 111;
#pragma omp target data map(to : q[1 : 3]) map(q)
    {
#pragma omp target data use_device_addr(q)
        {
#pragma omp target has_device_addr(q)
            q[1] = 222;
        }
    }
    CHECK_EQ(a[1], separate() ? 111 : 222);
    CHECK(q == a, "the host's pointer has changed");
}

// A section without elements of something that is not mapped.
static void empty(void) {
#pragma omp target enter data map(to : p[ : 0], p)
    EXPECT(1, 0);
#pragma omp target exit data map(release : p[ : 0], p)
    EXPECT(0, 0);
}

int main(void) {
    p = a;
    released_apart();
    released_together();
    in_regions();
    by_address();
    empty();
    return verdict();
}
