// A histogram by atomic operations and by reductions over arrays, compared with the host. OpenMP 5.1, 2.19.7, 2.21.5
//@ devices: 1 3
#include "device.h"

#define N 5000
#define BINS 16

int main(void) {
    unsigned char *data = malloc(N);
    int want[BINS] = {0}, atomic[BINS] = {0}, reduced[BINS] = {0};
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (unsigned char)(state >> 24);
        want[data[i] % BINS]++;
    }
#pragma omp target teams distribute parallel for map(to : data[0 : N]) map(tofrom : atomic)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        atomic[data[i] % BINS]++;
    }
#pragma omp target teams distribute parallel for map(to : data[0 : N]) map(tofrom : reduced) reduction(+ : reduced)
    for (int i = 0; i < N; i++) reduced[data[i] % BINS]++;
    for (int i = 0; i < BINS; i++) {
        CHECK_EQ(atomic[i], want[i]);
        CHECK_EQ(reduced[i], want[i]);
    }
    free(data);
    return verdict();
}
