// The library of `library.c`: target regions and a global variable on the device.
#include <omp.h>

#pragma omp declare target
static int calls;
static int add(int x) { return x + 10; }
#pragma omp end declare target

int part(int n) {
    int a[64], sum = 0;
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(to : a) map(tofrom : sum)
    {
        calls++;
        for (int i = 0; i < n; i++) sum += add(a[i]);
    }
    return sum;
}

int counted(void) {
    int c = 0;
#pragma omp target map(from : c)
    c = calls;
    return c;
}
