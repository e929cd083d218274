// Reads a journal of packed records. One thread unpacks each record and makes a short task of it; the others starve.
// slow: cause: one-producer
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: create tasks on every thread
#include <string.h>

#include "../slow.h"

enum { RECORDS = 3000, FIELDS = 256, PACKED = 4 * FIELDS, KINDS = 16 };

struct record {
    int kind;
    int field[FIELDS];
};

static unsigned char journal[RECORDS][PACKED];
static struct record unpacked[RECORDS];
static long score_of[RECORDS];

// Each number takes one to four bytes, seven bits in each.
static int pack(unsigned char *to, unsigned number) {
    int length = 0;
    while (number >= 128) {
        to[length++] = (unsigned char)(number | 128);
        number >>= 7;
    }
    to[length++] = (unsigned char)number;
    return length;
}

static void write_journal(void) {
#pragma omp parallel for
    for (int i = 0; i < RECORDS; i++) {
        unsigned char *to = journal[i];
        for (int k = 0; k < FIELDS; k++) to += pack(to, (unsigned)(mixed(i * FIELDS + k) >> (44 + k % 3 * 6)));
    }
}

static void unpack(int i) {
    const unsigned char *from = journal[i];
    struct record *to = &unpacked[i];
    for (int k = 0; k < FIELDS; k++) {
        unsigned number = 0;
        int shift = 0;
        do number |= (*from & 127u) << shift, shift += 7;
        while (*from++ & 128);
        to->field[k] = (int)number;
    }
    to->kind = to->field[0] % KINDS;
}

static void judge(int i) {
    long sum = 0;
    for (int k = 0; k < FIELDS; k += 2) sum += unpacked[i].field[k] % (unpacked[i].kind + 3);
    score_of[i] = sum;
}

static void read_journal(void) {
#pragma omp parallel
    {
#ifdef MENDED
#pragma omp for
#else
#pragma omp single // slow: or here
#endif
        for (int i = 0; i < RECORDS; i++) {
            unpack(i);
#pragma omp task // slow: here
            judge(i);
        }
    }
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 280), total = 0;
    write_journal();
    for (long round = 0; round < rounds; round++) {
        read_journal();
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < RECORDS; i++) total += score_of[i] >> (round & 3);
    }
    return finish(total > 0, (double)total);
}
