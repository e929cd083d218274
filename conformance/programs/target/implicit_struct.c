// Structures and unions that no clause names are mapped tofrom as a whole; pointers in them are not followed. OpenMP 5.1, 2.21.7
//@ devices: 1 3
#include "device.h"

struct inner {
    short s;
    double d[3];
};
struct outer {
    int n;
    struct inner inner;
    int *pointer;
    char tail;
};
union either {
    int i;
    unsigned char bytes[8];
};

int main(void) {
    int target = 3;
    struct outer o = {5, {6, {1, 2, 3}}, &target, 't'};
    union either e = {.i = 0x01020304};
    struct inner many[4];
    for (int i = 0; i < 4; i++) many[i] = (struct inner){i, {i, i + 1, i + 2}};
#pragma omp target
    {
        o.n++;
        o.inner.s += 2;
        o.inner.d[2] *= 2;
        o.tail = 'T';
        e.bytes[7] = 9;
        e.i++;
        for (int i = 0; i < 4; i++) many[i].d[1] = many[i].s;
    }
    CHECK_EQ(o.n, 6);
    CHECK_EQ(o.inner.s, 8);
    CHECK(o.inner.d[0] == 1 && o.inner.d[2] == 6, "%g %g", o.inner.d[0], o.inner.d[2]);
    CHECK_EQ(o.tail, 'T');
    CHECK(o.pointer == &target, "the pointer has changed");
    CHECK_EQ(e.i, 0x01020305);
    CHECK_EQ(e.bytes[7], 9);
    for (int i = 0; i < 4; i++) CHECK(many[i].d[1] == i && many[i].d[2] == i + 2, "element %d", i);
    return verdict();
}
