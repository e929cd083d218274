// Loops with the schedule SCHEDULE, of every induction variable, step and chunk: each iteration once.
#include "check.h"

enum { MAX = 101 };

// Runs `count` iterations from `from` in steps of `step`, in one chunk size, with induction variables of one type.
#define TRY(type, compare, from, count, step, chunk)                                                  \
    do {                                                                                              \
        int hits[MAX] = {0};                                                                         \
        type first = (type)(from), past = (type)(from) + (type)(step) * (type)(count);                \
        PRAGMA                                                                                        \
        for (type i = first; i compare past; i += (step)) {                                           \
            long slot = (long)((i - first) / (step));                                                 \
            CHECK(slot >= 0 && slot < (count), "slot %ld of %d", slot, (int)(count));                 \
            if (slot >= 0 && slot < MAX) __atomic_fetch_add(&hits[slot], 1, __ATOMIC_RELAXED);        \
        }                                                                                             \
        for (int s = 0; s < MAX; s++) CHECK_EQ(hits[s], s < (count));                                 \
    } while (0)

int main(void) {
    static const int counts[] = {0, 1, 2, 3, 7, 8, 9, 33, 34, 100};
    static const int chunks[] = {1, 4, 50};
    for (unsigned c = 0; c < sizeof chunks / sizeof *chunks; c++) {
        int chunk = chunks[c];
        (void)chunk;
        for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
            int n = counts[k];
#define PRAGMA OMP(parallel for schedule(SCHEDULE, chunk))
            TRY(int, <, -3, n, 1, chunk);
            TRY(int, >, 50, n, -3, chunk);
            TRY(unsigned, <, 4000000000u, n, 2, chunk);
            TRY(long, <, -5000000000, n, 7, chunk);
            TRY(long, >, 5000000000, n, -1, chunk);
            TRY(unsigned long, <, 18000000000000000000ul, n, 5, chunk);
        }
    }
    return verdict();
}
