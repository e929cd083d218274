// Scalars that no clause names are firstprivate, of every type and size. OpenMP 5.1, 2.21.7
//@ devices: 1 3
#include <stdint.h>

#include "device.h"

enum color { RED, GREEN = 5 };

int main(void) {
    char c = 'x';
    short s = -7;
    int i = 1 << 30;
    long l = -(1L << 60);
    float f = 0.5f;
    double d = -1e300;
    long double ld = 1e-300L;
    enum color color = GREEN;
    uint8_t byte = 255;
    _Bool yes = 1;
    int right = 0;
#pragma omp target map(from : right)
    {
        right = c == 'x' && s == -7 && i == 1 << 30 && l == -(1L << 60) && f == 0.5f && d == -1e300 && ld == 1e-300L &&
                color == GREEN && byte == 255 && yes;
        c = s = i = l = byte = 0;
        f = d = ld = 0;
        yes = 0;
        color = RED;
    }
    CHECK_EQ(right, 1);
    CHECK(c == 'x' && s == -7 && i == 1 << 30 && l == -(1L << 60) && f == 0.5f && d == -1e300 && ld == 1e-300L && color == GREEN &&
              byte == 255 && yes,
          "a firstprivate scalar has changed");
    return verdict();
}
