// Filters the two channels of a record in two sections. Both sections have the same work.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include "../slow.h"

enum { LENGTH = 40000 };

static double left[LENGTH], right[LENGTH], mixed_down[LENGTH];

static void record(long second) {
#pragma omp parallel for
    for (int i = 0; i < LENGTH; i++) {
        left[i] = fraction(i + second) - 0.5;
        right[i] = fraction(i + second + LENGTH) - 0.5;
    }
}

// A low pass of four stages; each value needs the one before.
static void filter(double *channel) {
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    for (int i = 0; i < LENGTH; i++) {
        a += 0.3 * (channel[i] - a);
        b += 0.3 * (a - b);
        c += 0.3 * (b - c);
        d += 0.3 * (c - d);
        channel[i] = d;
    }
}

static void mix(void) {
#pragma omp parallel for
    for (int i = 0; i < LENGTH; i++) mixed_down[i] = (left[i] + right[i]) / (1.0 + left[i] * right[i]);
}

int main(int argc, char **argv) {
    long seconds = repeated(argc, argv, 2500);
    double sum = 0.0;
    for (long second = 0; second < seconds; second++) {
        record(second);
#pragma omp parallel sections
        {
#pragma omp section
            filter(left);
#pragma omp section
            filter(right);
        }
        mix();
        sum += mixed_down[second % LENGTH] > 0.0;
    }
    return finish(sum > 0.0, sum);
}
