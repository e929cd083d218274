// The histogram of a dark picture: nearly all pixels are counted atomically in the same few cells.
// slow: cause: atomic-contention
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: reduction
#include "../slow.h"

enum { PIXELS = 100000, LEVELS = 64 };

static unsigned char picture[PIXELS], filtered[PIXELS];
static long total[LEVELS];

static void expose(long night) {
#pragma omp parallel for
    for (int i = 0; i < PIXELS; i++) {
        unsigned random = (unsigned)mixed(night * PIXELS + i);
        picture[i] = random % 200 == 0 ? random >> 8 & 63 : random >> 8 & 3;
    }
}

// The middle one of five pixels.
static void filter(void) {
#pragma omp parallel for
    for (int i = 2; i < PIXELS - 2; i++) {
        unsigned char five[5];
        for (int k = 0; k < 5; k++) {
            int at = k;
            for (; at > 0 && five[at - 1] > picture[i + k - 2]; at--) five[at] = five[at - 1];
            five[at] = picture[i + k - 2];
        }
        filtered[i] = five[2];
    }
}

static void count(void) {
    long histogram[LEVELS] = {0};
#ifdef MENDED
#pragma omp parallel for reduction(+ : histogram[ : LEVELS])
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < PIXELS; i++) {
#ifndef MENDED
#pragma omp atomic // slow: here
#endif
        histogram[filtered[i]]++;
    }
    for (int level = 0; level < LEVELS; level++) total[level] += histogram[level];
}

// Pixels that are much brighter than their neighbours are stars.
static long stars(void) {
    long count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 4; i < PIXELS - 4; i++) {
        int around = 0;
        for (int k = 1; k <= 4; k++) around += picture[i - k] + picture[i + k];
        count += 8 * picture[i] > 5 * around + 40;
    }
    return count;
}

// The steepest step between neighbours.
static int steepest(void) {
    int most = 0;
#pragma omp parallel for reduction(max : most)
    for (int i = 1; i < PIXELS; i++) {
        int step = abs(filtered[i] - filtered[i - 1]);
        most = step > most ? step : most;
    }
    return most;
}

int main(int argc, char **argv) {
    long nights = repeated(argc, argv, 400), all = 0, sum = 0;
    for (long night = 0; night < nights; night++) {
        expose(night);
        filter();
        count();
        sum += stars() + steepest();
    }
    for (int level = 0; level < LEVELS; level++) all += total[level], sum += level * total[level];
    return finish(all == nights * PIXELS, (double)sum);
}
