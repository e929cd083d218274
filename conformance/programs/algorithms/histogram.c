// A histogram three ways: shared bins with atomics, private bins merged under a critical, and an array reduction; all agree.
// OpenMP 5.1, 2.19.7, 2.21.5
#include "check.h"

enum { BINS = 37, N = 6000 };

int main(void) {
    static unsigned char data[N];
    int serial[BINS] = {0}, atomics[BINS] = {0}, merged[BINS] = {0}, reduced[BINS] = {0};
    for (int i = 0; i < N; i++) serial[data[i] = (unsigned char)((unsigned)i * 2654435761u >> 16) % BINS]++;
#pragma omp parallel
    {
        int own[BINS] = {0};
#pragma omp for nowait
        for (int i = 0; i < N; i++) {
            own[data[i]]++;
#pragma omp atomic
            atomics[data[i]]++;
        }
#pragma omp critical
        for (int b = 0; b < BINS; b++) merged[b] += own[b];
    }
#pragma omp parallel for reduction(+ : reduced) schedule(guided)
    for (int i = 0; i < N; i++) reduced[data[i]]++;
    for (int b = 0; b < BINS; b++) {
        CHECK_EQ(atomics[b], serial[b]);
        CHECK_EQ(merged[b], serial[b]);
        CHECK_EQ(reduced[b], serial[b]);
    }
    return verdict();
}
