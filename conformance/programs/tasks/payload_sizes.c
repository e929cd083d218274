// Tasks whose firstprivate data run from one byte to 8 KiB, with alignment kept, and whose shareds are many.
// OpenMP 5.1, 2.12.1
#include <stdint.h>

#include "check.h"

#define TRY(bytes)                                                                      \
    do {                                                                                \
        struct {                                                                        \
            unsigned char data[bytes];                                                  \
        } block;                                                                        \
        for (int i = 0; i < 12; i++) {                                                  \
            for (int k = 0; k < (bytes); k++) block.data[k] = (unsigned char)(k + i);   \
            OMP(task firstprivate(block, i) shared(ran))                                \
            {                                                                           \
                int wrong = 0;                                                          \
                for (int k = 0; k < (bytes); k++) wrong += block.data[k] != (unsigned char)(k + i); \
                CHECK_EQ(wrong, 0);                                                     \
                OMP(atomic)                                                             \
                ran++;                                                                  \
            }                                                                           \
        }                                                                               \
    } while (0)

int main(void) {
    int ran = 0, a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    long double extended = 1.5L;
    double vector[4] __attribute__((aligned(32))) = {1, 2, 3, 4};
#pragma omp parallel
#pragma omp single
    {
        TRY(1);
        TRY(3);
        TRY(8);
        TRY(17);
        TRY(64);
        TRY(129);
        TRY(1000);
        TRY(8192);
        for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(extended, a, c, vector) shared(b, d, e, f, g, h, ran)
            {
                CHECK(extended == 1.5L, "%Lg", extended);
                CHECK_EQ((uintptr_t)&extended % 16, 0);
                CHECK(vector[0] + vector[3] == 5, "%g", vector[3]);
                CHECK_EQ(a + b + c + d + e + f + g + h, 36);
#pragma omp atomic
                ran++;
            }
        }
    }
    CHECK_EQ(ran, 106);
    return verdict();
}
