// Sorts letters into four classes. The threads' counters share a cache line, and every letter writes one of them.
// slow: cause: false-sharing
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: pad to a cache line
#include <omp.h>

#include "../slow.h"

enum { LETTERS = 60000, CLASSES = 4, MOST_THREADS = 64 };

#ifdef MENDED
enum { ROW = 16 };
#else
enum { ROW = CLASSES };
#endif

static _Alignas(64) long counts[MOST_THREADS][ROW]; // slow: or here
static unsigned char text[LETTERS], plain[LETTERS], class_of[256];

static void prepare(void) {
    for (int letter = 0; letter < 256; letter++) class_of[letter] = (unsigned char)(mixed(letter) % CLASSES);
}

static void receive(long message) {
#pragma omp parallel for
    for (int i = 0; i < LETTERS; i++) text[i] = (unsigned char)(mixed(message * LETTERS + i) >> 17);
}

// A Vigenere cipher with a running key.
static void decipher(void) {
#pragma omp parallel for
    for (int i = 0; i < LETTERS; i++) {
        unsigned key = (unsigned)i * 2654435761u;
        for (int round = 0; round < 20; round++) key = key * 1664525u + 1013904223u + text[i];
        plain[i] = (unsigned char)(key >> 24);
    }
}

static void classify(void) {
#pragma omp parallel // slow: or here
    {
        long *own = counts[omp_get_thread_num()];
#pragma omp for // slow: or here
        for (int i = 0; i < LETTERS; i++) own[class_of[plain[i]]]++; // slow: here
    }
}

// A checksum for each block of the message.
static long blocks(void) {
    long good = 0;
#pragma omp parallel for reduction(+ : good)
    for (int block = 0; block < LETTERS / 500; block++) {
        unsigned low = 1, high = 0;
        for (int i = block * 500; i < (block + 1) * 500; i++) {
            low = (low + plain[i]) % 65521;
            high = (high + low) % 65521;
        }
        good += (high & 7) != 0;
    }
    return good;
}

// How often a letter follows itself.
static long doubles(void) {
    long count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 1; i < LETTERS; i++) count += plain[i] == plain[i - 1];
    return count;
}

int main(int argc, char **argv) {
    long messages = repeated(argc, argv, 700), all = 0, sum = 0;
    prepare();
    for (long message = 0; message < messages; message++) {
        receive(message);
        decipher();
        classify();
        sum += blocks() + doubles();
    }
    for (int thread = 0; thread < MOST_THREADS; thread++)
        for (int class = 0; class < CLASSES; class++) {
            all += counts[thread][class];
            sum += class * counts[thread][class];
        }
    return finish(all == messages * LETTERS, (double)sum);
}
