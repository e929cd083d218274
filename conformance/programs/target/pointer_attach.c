// A global pointer on the device and memory mapped through it. OpenMP 5.1, 2.14.7, 2.21.7.2
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
double *shared_pointer;
static double at(int i) { return shared_pointer[i]; }
#pragma omp end declare target

int main(void) {
    int n = 40;
    double sum = 0, *host = shared_pointer = malloc(n * sizeof *shared_pointer);
    for (int i = 0; i < n; i++) shared_pointer[i] = i;
#pragma omp target data map(tofrom : shared_pointer[0 : n])
    {
#pragma omp target map(tofrom : sum)
        for (int i = 0; i < n; i++) {
            sum += at(i);
            shared_pointer[i] *= 2;
        }
    }
    CHECK(sum == 780, "%g", sum);
    CHECK(shared_pointer == host, "the host's pointer has changed");
    for (int i = 0; i < n; i++) CHECK(shared_pointer[i] == 2 * i, "%d: %g", i, shared_pointer[i]);
    free(host);
    return verdict();
}
