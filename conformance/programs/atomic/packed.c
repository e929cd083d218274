// Atomics on members of packed structures, which lie where an instruction of their size need not be atomic, and on neighbours
// of one byte. OpenMP 5.1, 2.19.7
//@ libs: atomic
#include "check.h"

typedef struct __attribute__((packed)) {
    char before;
    long value;
    char between;
    int small;
    double real;
    char after;
} Packed;

int main(void) {
    int threads = omp_get_max_threads(), rounds = 40;
    static _Alignas(64) Packed all[8];
    static unsigned char bytes[64];
    static _Bool flags[16];
#pragma omp parallel
    for (int i = 0; i < rounds; i++)
        for (int j = 0; j < 8; j++) {
#pragma omp atomic
            all[j].value += j;
#pragma omp atomic
            all[j].small -= j;
#pragma omp atomic
            all[j].real += 0.5 * j;
#pragma omp atomic
            bytes[j * 8 + i % 8]++;
#pragma omp atomic write
            flags[j * 2] = 1;
        }
    long n = (long)threads * rounds;
    for (int j = 0; j < 8; j++) {
        CHECK_EQ(all[j].value, n * j);
        CHECK_EQ(all[j].small, -n * j);
        CHECK(all[j].real == 0.5 * n * j, "%g", all[j].real);
        CHECK_EQ(all[j].before + all[j].between + all[j].after, 0);
        for (int k = 0; k < 8; k++) CHECK_EQ(bytes[j * 8 + k], (unsigned char)(threads * (rounds / 8)));
        CHECK_EQ(flags[j * 2], 1);
        CHECK_EQ(flags[j * 2 + 1], 0);
    }
    return verdict();
}
