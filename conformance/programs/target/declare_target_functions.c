// Functions for the device: declared, called by those that are, recursive, with their own static variables. OpenMP 5.1, 2.14.7
//@ needs: offload 16
//@ devices: 1 3
// Why 16: clang 14 makes a static variable that one kernel uses a local one of the kernel.
#include "device.h"

static int implicitly(int x) { return x * 3; }

#pragma omp declare target
static int calls(void) {
    static int count = 0;
    return ++count;
}
static long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int depth(int n) {
    volatile char room[64];
    room[n % 64] = (char)n;
    return n == 0 ? 0 : 1 + depth(n - 1) + (room[n % 64] == (char)n ? 0 : 1000000);
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int outer(int x) { return implicitly(x) + 1; }
#pragma omp end declare target

int main(void) {
    long f = 0;
    int d = 0, odd = 0, o = 0, c = 0;
#pragma omp target map(from : f, d, odd, o)
    {
        f = fibonacci(20);
        d = depth(1000);
        odd = is_odd(77) + 10 * is_even(77);
        o = outer(5);
    }
    CHECK_EQ(f, 6765);
    CHECK_EQ(d, 1000);
    CHECK_EQ(odd, 1);
    CHECK_EQ(o, 16);
    for (int i = 1; i <= 3; i++) {
#pragma omp target map(from : c)
        c = calls();
        CHECK_EQ(c, i);
    }
    CHECK_EQ(calls(), separate() ? 1 : 4);
    return verdict();
}
