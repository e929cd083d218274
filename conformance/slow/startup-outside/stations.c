// Reads the measurements of many stations, then filters them. One thread reads everything before the first region.
// slow: cause: startup-outside
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: parallel for
#include <string.h>

#include "../slow.h"

enum { STATIONS = 64, LINES = 500, TEXT = LINES * 14 + 1 };

static char (*report)[TEXT];
static double value[STATIONS][LINES], smooth[STATIONS][LINES];

// The reports as they came over the wire.
static void measure(void) {
    report = malloc(STATIONS * sizeof *report);
    for (int station = 0; station < STATIONS; station++)
        for (int line = 0; line < LINES; line++) {
            unsigned number = (unsigned)(mixed(station * LINES + line) % 10000000);
            char *to = report[station] + line * 14;
            memcpy(to, "t=000.0000000\n", 15);
            for (int digit = 12; digit > 5; digit--, number /= 10) to[digit] = (char)('0' + number % 10);
        }
}

static void parse(int station) {
    const char *text = report[station];
    for (int line = 0; line < LINES; line++) {
        value[station][line] = strtod(text + 2, NULL);
        text = strchr(text, '\n') + 1;
    }
}

static void read_reports(long times) {
    for (long time = 0; time < times; time++) {
#ifdef MENDED
#pragma omp parallel for
#endif
        for (int station = 0; station < STATIONS; station++) parse(station); // slow: here
    }
}

static void filter(int station) {
    for (int line = 0; line < LINES; line++) {
        double sum = 0.0, weights = 0.0;
        for (int k = -8; k <= 8; k++) {
            int at = line + k;
            if (at < 0 || at >= LINES) continue;
            double weight = 1.0 / (1 + k * k);
            sum += weight * value[station][at];
            weights += weight;
        }
        smooth[station][line] = sum / weights;
    }
}

// How well two stations agree, for all neighbours.
static double agreement(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int station = 0; station < STATIONS; station++) {
        const double *one = smooth[station], *other = smooth[(station + 1) % STATIONS];
        double both = 0.0, squares = 0.0;
        for (int line = 0; line < LINES; line++) {
            both += one[line] * other[line];
            squares += one[line] * one[line] + other[line] * other[line];
        }
        sum += 2.0 * both / squares;
    }
    return sum / STATIONS;
}

int main(int argc, char **argv) {
    double sum = 0.0, agreed = 0.0;
    measure();
    read_reports(repeated(argc, argv, 200)); // slow: or here
    long rounds = repeated(argc, argv, 500);
    for (long round = 0; round < rounds; round++) {
#pragma omp parallel for
        for (int station = 0; station < STATIONS; station++) filter(station);
        agreed += agreement();
    }
#pragma omp parallel for reduction(+ : sum)
    for (int station = 0; station < STATIONS; station++) sum += smooth[station][LINES / 2];
    free(report);
    sum += agreed / (double)rounds;
    return finish(sum > 0.0, sum);
}
