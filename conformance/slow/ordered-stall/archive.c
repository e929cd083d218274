// Packs blocks of text into an archive in their order. The packing itself stands in the ordered region.
// slow: cause: ordered-stall
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: smaller ordered region
#include <string.h>

#include "../slow.h"

enum { BLOCKS = 400, LENGTH = 2000 };

static unsigned char text[BLOCKS][LENGTH], archive[BLOCKS * LENGTH * 2];
static size_t archived;

static void write_text(long number) {
#pragma omp parallel for schedule(static, 1)
    for (int block = 0; block < BLOCKS; block++) {
        int i = 0;
        for (uint64_t word = 0; i < LENGTH; word++) {
            uint64_t random = mixed(mixed(block + 1000 * number) % 7919 + word);
            int run = 1 + (int)(random & 7);
            for (int k = 0; k < run && i < LENGTH; k++) text[block][i++] = (unsigned char)('a' + (random >> 8) % 4);
        }
    }
}

// Replaces runs by a letter and a count, and scrambles both.
static int pack(const unsigned char *from, unsigned char *to) {
    int length = 0;
    unsigned key = 1;
    for (int i = 0; i < LENGTH;) {
        int run = 1;
        while (i + run < LENGTH && from[i + run] == from[i] && run < 255) run++;
        key = key * 1664525u + 1013904223u;
        to[length++] = (unsigned char)(from[i] ^ key >> 24);
        to[length++] = (unsigned char)run;
        i += run;
    }
    return length;
}

static void append(const unsigned char *packed, int length) {
    memcpy(archive + archived, packed, (size_t)length);
    archived += (size_t)length;
}

static void pack_all(void) {
    archived = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int block = 0; block < BLOCKS; block++) {
        unsigned char packed[2 * LENGTH];
#ifdef MENDED
        int length = pack(text[block], packed);
#pragma omp ordered
        append(packed, length);
#else
#pragma omp ordered // slow: here
        {
            int length = pack(text[block], packed);
            append(packed, length);
        }
#endif
    }
}

// How often each letter begins a block; a test of the text.
static int begins(int letter) {
    int count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int block = 0; block < BLOCKS; block++) count += text[block][0] == letter;
    return count;
}

int main(int argc, char **argv) {
    long archives = repeated(argc, argv, 450), sum = 0;
    for (long number = 0; number < archives; number++) {
        write_text(number);
        pack_all();
        sum += begins('a') - begins('b') + (long)archived + archive[archived / 2];
    }
    return finish(sum > 0, (double)sum);
}
