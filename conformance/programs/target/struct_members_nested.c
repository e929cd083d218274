// Members of a structure that an enclosing construct has mapped, mapped again one by one: constructs inside use the counterparts that there
// are, and each member arrives with the construct that asked for it. A member that is not mapped may not be added to others that are
// (2.21.7.1, restrictions); without a counterpart for it beside theirs, a region could not reach them all. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

struct record {
    int a, b, c, d, i, j;
};

static void reset(struct record *t) { *t = (struct record){10, 0, 0, 0, 20, 30}; }
// On the host in the device's place everything is there at once.
#define ARRIVED(member, before, after) CHECK_EQ(member, separate() ? (before) : (after))

int main(void) {
    struct record t;
    reset(&t);
#pragma omp target data map(from : t.i, t.j, t.a)
    {
#pragma omp target map(from : t.a)
        {
            t.a = 11;
            t.i = 21;
            t.j = 31;
        }
        ARRIVED(t.a, 10, 11);
        ARRIVED(t.i, 20, 21);
    }
    CHECK_EQ(t.a, 11);
    CHECK_EQ(t.i, 21);
    CHECK_EQ(t.j, 31);

    reset(&t);
#pragma omp target data map(tofrom : t)
    {
#pragma omp target map(always, from : t.a)
        {
            t.a = 12;
            t.j = t.i + 12;
        }
        CHECK_EQ(t.a, 12);
        ARRIVED(t.j, 30, 32);
#pragma omp target map(from : t.i, t.j)
        t.i = t.a + 10;
    }
    CHECK_EQ(t.a, 12);
    CHECK_EQ(t.i, 22);
    CHECK_EQ(t.j, 32);

    // The whole, where a part is mapped and no clause names it.
    reset(&t);
#pragma omp target data map(tofrom : t.i, t.j)
    {
#pragma omp target
        t.j = t.i + 13;
        ARRIVED(t.j, 30, 33);
#pragma omp target map(tofrom : t.j)
        t.i = t.j - 10;
    }
    CHECK_EQ(t.i, 23);
    CHECK_EQ(t.j, 33);

    // Members that were mapped together go together, and those arrive that are listed.
    reset(&t);
#pragma omp target enter data map(to : t.a, t.i, t.j)
#pragma omp target enter data map(to : t.i)
#pragma omp target
    {
        t.a = 14;
        t.i = 24;
        t.j = 34;
    }
#pragma omp target exit data map(from : t.a)
    ARRIVED(t.a, 10, 14);
#pragma omp target exit data map(from : t.j, t.i)
    ARRIVED(t.a, 10, 14);
    CHECK_EQ(t.i, 24);
    CHECK_EQ(t.j, 34);
    if (separate()) CHECK(!omp_target_is_present(&t.a, omp_get_default_device()), "still mapped");
    return verdict();
}
