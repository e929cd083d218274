// Variables declared for the device: each device has its own, with the initial value, whatever the host does to its own.
// OpenMP 5.1, 2.14.7
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
int counter = 5;
double table[4] = {0.5, 1.5, 2.5, 3.5};
struct {
    short a;
    char text[10];
} settings = {7, "text"};
#pragma omp end declare target
int later[3] = {1, 2, 3};
#pragma omp declare target to(later)

int main(void) {
    counter = 100;
    table[1] = -1;
    later[2] = 30;
    int c = 0, l = 0, s = 0;
    double t = 0;
#pragma omp target map(from : c, t, l, s)
    {
        c = counter++;
        t = table[1];
        l = later[2];
        s = settings.a + settings.text[3];
    }
    CHECK_EQ(c, separate() ? 5 : 100);
    CHECK(t == (separate() ? 1.5 : -1), "%g", t);
    CHECK_EQ(l, separate() ? 3 : 30);
    CHECK_EQ(s, 7 + 't');
    CHECK_EQ(counter, separate() ? 100 : 101);
    // What a region leaves there, the next one finds.
#pragma omp target map(from : c)
    c = counter;
    CHECK_EQ(c, separate() ? 6 : 101);
    return verdict();
}
