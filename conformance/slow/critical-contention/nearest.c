// Finds the nearest of many points for some questions. Each comparison takes a critical section, not only the last one.
// slow: cause: critical-contention
// slow: also: reduction-by-critical
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: private best, critical once
// slow: flags: -lm
#include "../slow.h"

enum { POINTS = 4000, WIDTH = 96 };

static float points[POINTS][WIDTH];

static void scatter(void) {
#pragma omp parallel for
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < WIDTH; k++) points[i][k] = (float)fraction((uint64_t)i * WIDTH + k);
}

static double distance(const float *a, const float *b) {
    double sum = 0.0;
    for (int k = 0; k < WIDTH; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static int nearest(const float *question) {
    double least = 1e9;
    int best = 0;
#pragma omp parallel
    {
#ifdef MENDED
        double own_least = 1e9;
        int own = 0;
#pragma omp for nowait
        for (int i = 0; i < POINTS; i++) {
            double here = distance(points[i], question);
            if (here < own_least) own_least = here, own = i;
        }
#pragma omp critical
        if (own_least < least) least = own_least, best = own;
#else
#pragma omp for
        for (int i = 0; i < POINTS; i++) {
            double here = distance(points[i], question);
#pragma omp critical // slow: here
            if (here < least) least = here, best = i;
        }
#endif
    }
    return best;
}

// The points swim a little, so that each question meets other ones.
static void drift(long step) {
#pragma omp parallel for
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < WIDTH; k++) {
            float pull = (float)((i + k + step) % 7 - 3) * 1e-4f;
            points[i][k] = points[i][k] * (1.0f - 2e-4f) + 1e-4f + pull;
        }
}

// How many points lie far from the middle.
static long outside(void) {
    long count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < POINTS; i++) {
        float sum = 0.0f;
        for (int k = 0; k < WIDTH; k++) sum += (points[i][k] - 0.5f) * (points[i][k] - 0.5f);
        count += sum > WIDTH / 12.0f;
    }
    return count;
}

int main(int argc, char **argv) {
    long questions = repeated(argc, argv, 1800), sum = 0;
    scatter();
    for (long q = 0; q < questions; q++) {
        float question[WIDTH];
        for (int k = 0; k < WIDTH; k++) question[k] = (float)fraction(1000003 * (q + 1) + k);
        sum += nearest(question);
        sum += outside();
        drift(q);
    }
    return finish(sum > 0, (double)sum);
}
