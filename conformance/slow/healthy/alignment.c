// Aligns pairs of genes. The blocks of the table depend on their neighbours above and to the left.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <string.h>

#include "../slow.h"

enum { LENGTH = 1536, BLOCK = 64, BLOCKS = LENGTH / BLOCK };

static char one[LENGTH], other[LENGTH];
static short score[LENGTH + 1][LENGTH + 1];
static char done[BLOCKS + 1][BLOCKS + 1];

static void read_genes(long pair) {
#pragma omp parallel for
    for (int i = 0; i < LENGTH; i++) {
        one[i] = "ACGT"[mixed(pair * LENGTH + i) & 3];
        other[i] = mixed(pair * LENGTH + i + 7777777) % 5 == 0 ? 'A' : one[i];
    }
}

static void align(int block_line, int block_column) {
    for (int y = block_line * BLOCK + 1; y <= (block_line + 1) * BLOCK; y++)
        for (int x = block_column * BLOCK + 1; x <= (block_column + 1) * BLOCK; x++) {
            int both = score[y - 1][x - 1] + (one[y - 1] == other[x - 1] ? 2 : -1);
            int up = score[y - 1][x] - 2, left = score[y][x - 1] - 2;
            int most = both > up ? both : up;
            most = left > most ? left : most;
            score[y][x] = (short)(most > 0 ? most : 0);
        }
}

static void align_all(void) {
#pragma omp parallel
#pragma omp single
    for (int sum = 0; sum <= 2 * (BLOCKS - 1); sum++)
        for (int line = 0; line < BLOCKS; line++) {
            int column = sum - line;
            if (column < 0 || column >= BLOCKS) continue;
#pragma omp task depend(in : done[line][column + 1], done[line + 1][column]) depend(out : done[line + 1][column + 1])
            align(line, column);
        }
}

// The best alignment that ends anywhere.
static int best(void) {
    int most = 0;
#pragma omp parallel for reduction(max : most)
    for (int y = 1; y <= LENGTH; y++)
        for (int x = 1; x <= LENGTH; x++)
            if (score[y][x] > most) most = score[y][x];
    return most;
}

int main(int argc, char **argv) {
    long pairs = repeated(argc, argv, 130), sum = 0;
    for (long pair = 0; pair < pairs; pair++) {
        read_genes(pair);
        align_all();
        sum += best();
    }
    return finish(sum > LENGTH, (double)sum);
}
