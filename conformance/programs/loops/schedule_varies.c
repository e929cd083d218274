// Loops whose bounds, steps and chunks are computed in the region and differ from round to round, against a serial count.
// OpenMP 5.1, 2.11.4
#include "check.h"

int main(void) {
    unsigned seed = 99;
    for (int round = 0; round < 60; round++) {
        seed = seed * 1664525u + 1013904223u;
        int low = (int)(seed >> 8) % 50 - 25, high = low + (int)(seed >> 20) % 300 - 20, step = 1 + (int)(seed >> 5) % 9;
        int chunk = 1 + (int)(seed >> 12) % 20;
        long want = 0, got = 0, back = 0;
        for (int i = low; i < high; i += step) want += i * 3L + 1;
#pragma omp parallel reduction(+ : got, back)
        {
            switch (round % 4) {
            case 0:
#pragma omp for schedule(static, chunk)
                for (int i = low; i < high; i += step) got += i * 3L + 1;
                break;
            case 1:
#pragma omp for schedule(dynamic, chunk)
                for (int i = low; i < high; i += step) got += i * 3L + 1;
                break;
            case 2:
#pragma omp for schedule(guided, chunk)
                for (int i = low; i < high; i += step) got += i * 3L + 1;
                break;
            default:
#pragma omp for schedule(static)
                for (int i = low; i < high; i += step) got += i * 3L + 1;
            }
#pragma omp for schedule(dynamic, chunk)
            for (long i = high; i > low; i -= step) back++;
        }
        CHECK_EQ(got, want);
        CHECK_EQ(back, high > low ? (high - low + step - 1) / step : 0);
    }
    return verdict();
}
