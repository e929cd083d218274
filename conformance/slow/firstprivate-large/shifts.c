// Simulates the shifts of ferries. Each task gets a copy of the timetable, which all tasks only read.
// slow: cause: firstprivate-large
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: shared
#include "../slow.h"

enum { PORTS = 40, DEPARTURES = 48, CREWS = 6000 };

typedef struct {
    int minute[PORTS][DEPARTURES];
    int next[PORTS][DEPARTURES];
} Timetable;

static int hours[CREWS];

// Departures in the order of the day; each leads to some other port.
static void plan(Timetable *table, long day) {
    for (int port = 0; port < PORTS; port++)
        for (int i = 0; i < DEPARTURES; i++) {
            table->minute[port][i] = i * 30 + (int)(mixed(day * 10000 + port * 100 + i) % 30);
            table->next[port][i] = (port + 1 + (int)(mixed(day * 7000 + port * 64 + i) % (PORTS - 1))) % PORTS;
        }
}

// A crew takes the next departure wherever it is, until its day is over.
static int sail(const Timetable *table, int crew) {
    int port = crew % PORTS, now = crew % 240, trips = 0;
    while (now < 24 * 60) {
        int i = 0;
        while (i < DEPARTURES && table->minute[port][i] < now) i++;
        if (i == DEPARTURES) break;
        now = table->minute[port][i] + 25;
        port = table->next[port][i];
        trips++;
    }
    return trips * 25;
}

static void simulate(const Timetable *today) {
    Timetable table = *today;
#pragma omp parallel
#pragma omp single
    for (int crew = 0; crew < CREWS; crew++) {
#ifdef MENDED
#pragma omp task shared(table)
#else
#pragma omp task firstprivate(table) // slow: here
#endif
        hours[crew] = sail(&table, crew);
    }
}

// How evenly the work is spread.
static long spread(void) {
    long sum = 0, squares = 0;
#pragma omp parallel for reduction(+ : sum, squares)
    for (int crew = 0; crew < CREWS; crew++) {
        sum += hours[crew];
        squares += (long)hours[crew] * hours[crew];
    }
    return squares * CREWS - sum * sum;
}

// The noise of the harbours: a sum of waves at each minute of the day.
static double noise(long day) {
    double loudest = 0;
#pragma omp parallel for reduction(max : loudest)
    for (int minute = 0; minute < 24 * 60; minute++) {
        double level = 0;
        for (int port = 0; port < PORTS; port++) level += sin(0.01 * minute * (port + 1) + day);
        if (level > loudest) loudest = level;
    }
    return loudest;
}

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 30), sum = 0;
    static Timetable table;
    for (long day = 0; day < days; day++) {
        plan(&table, day);
        simulate(&table);
        sum += spread() % 1000003 + (long)noise(day);
    }
    return finish(sum > 0, (double)sum);
}
