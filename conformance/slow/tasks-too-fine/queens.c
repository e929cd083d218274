// Counts the ways to place queens. Every placed queen becomes a task, down to the fifth row.
// slow: cause: tasks-too-fine
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: final/if cutoff
#include "../slow.h"

#ifdef MENDED
enum { LAST_TASK = 3 };
#else
enum { LAST_TASK = 5 };
#endif

static int size;
static long solutions;

// The same search without tasks.
static long search(unsigned columns, unsigned left, unsigned right) {
    unsigned all = (1u << size) - 1;
    if (columns == all) return 1;
    long found = 0;
    for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
        unsigned queen = open & -open;
        found += search(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return found;
}

static void place(int row, unsigned columns, unsigned left, unsigned right) {
    unsigned all = (1u << size) - 1;
    if (row >= LAST_TASK) {
        long found = search(columns, left, right);
        if (found == 0) return;
#pragma omp atomic
        solutions += found;
        return;
    }
    for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
        unsigned queen = open & -open;
#pragma omp task // slow: here
        place(row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
}

// How many pairs of queens attack each other on random boards.
static long attacks(long round, int boards) {
    long count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int board = 0; board < boards; board++) {
        int column[32];
        uint64_t random = mixed(round * boards + board);
        for (int row = 0; row < size; row++, random /= 11) column[row] = (int)(random % 11);
        for (int a = 0; a < size; a++)
            for (int b = a + 1; b < size; b++)
                count += column[a] == column[b] || abs(column[a] - column[b]) == b - a;
    }
    return count;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 400), attacked = 0;
    size = 11;
    for (long round = 0; round < rounds; round++) {
        attacked += attacks(round, 2000);
#pragma omp parallel
#pragma omp single
        place(0, 0, 0, 0);
    }
    return finish(solutions == 2680 * rounds, (double)(solutions + attacked));
}
