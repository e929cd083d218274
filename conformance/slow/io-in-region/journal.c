// A simulation keeps a journal on disk. One thread writes and syncs the file in each step, and the others wait for it.
// slow: cause: io-in-region
// slow: compilers: clang gcc
// slow: threads: 2
// slow: try: write after the region
// slow: note: The gain depends on the disk.
#include <string.h>
#include <unistd.h>

#include "../slow.h"

enum { WALKERS = 6000, LINE = 64, STEPS = 60 };

static uint64_t state[WALKERS];
static int place[WALKERS];
static char lines[STEPS][LINE];

static int open_journal(void) {
    FILE *file = tmpfile();
    return file ? fileno(file) : -1;
}

static int save(int file, const char *text, size_t length) {
    return write(file, text, length) == (ssize_t)length && fdatasync(file) == 0;
}

static void walk(int i) {
    uint64_t random = state[i];
    for (int k = 0; k < 120; k++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        place[i] += (int)(random & 1) * 2 - 1;
    }
    state[i] = random;
}

static int simulate(int file, int steps) {
    int good = 1;
    long distance = 0;
#pragma omp parallel
    for (int step = 0; step < steps; step++) {
#pragma omp for reduction(+ : distance)
        for (int i = 0; i < WALKERS; i++) {
            walk(i);
            distance += labs(place[i]);
        }
#pragma omp single // slow: or here
        {
            char *line = lines[step % STEPS];
            memset(line, ' ', LINE);
            snprintf(line, LINE, "%d %ld", step, distance);
#ifndef MENDED
            good = good && save(file, line, LINE); // slow: here
#endif
        }
    }
#ifdef MENDED
    good = good && save(file, (const char *)lines, sizeof lines);
#endif
    return good && distance > 0;
}

int main(int argc, char **argv) {
    int steps = (int)repeated(argc, argv, 10 * STEPS), file = open_journal(), good = file >= 0;
    long sum = 0;
#pragma omp parallel for
    for (int i = 0; i < WALKERS; i++) state[i] = mixed(i) | 1;
    while (good && steps > 0) {
        good = simulate(file, steps < STEPS ? steps : STEPS);
        steps -= STEPS;
    }
    for (int i = 0; i < WALKERS; i++) sum += (long)i * place[i];
    close(file);
    return finish(good, (double)sum);
}
