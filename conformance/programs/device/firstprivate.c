// Firstprivate variables of target regions: copies, aligned as the originals, made where the construct is encountered even if the
// region runs later. OpenMP 5.1, 2.14.5, 2.21.4.4
#include <stdint.h>
#include <string.h>

#include "check.h"

typedef struct {
    char bytes[1000];
} Large;

typedef struct {
    _Alignas(64) int value;
} Aligned;

int main(void) {
    Large large;
    memset(large.bytes, 7, sizeof large.bytes);
    Aligned aligned = {5};
    char odd[3] = {1, 2, 3};
    double real = 0.5;
    int sum = 0, misaligned = 1;
#pragma omp target firstprivate(large, aligned, odd, real) map(from : sum, misaligned)
    {
        misaligned = (uintptr_t)&aligned % 64 != 0;
        sum = large.bytes[0] + large.bytes[999] + aligned.value + odd[0] + odd[1] + odd[2] + (int)(real * 2);
        memset(large.bytes, 0, sizeof large.bytes);
        aligned.value = odd[1] = 0;
        real = 0;
    }
    CHECK_EQ(sum, 7 + 7 + 5 + 6 + 1);
    CHECK_EQ(misaligned, 0);
    CHECK_EQ(large.bytes[0] + large.bytes[999] + aligned.value + odd[1], 7 + 7 + 5 + 2);
    CHECK(real == 0.5, "%g", real);

    enum { MANY = 20 };
    int results[MANY];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < MANY; i++) {
            aligned.value = i;
            odd[2] = i;
#pragma omp target nowait firstprivate(aligned, odd, i) map(tofrom : results)
            results[i] = aligned.value * 100 + odd[2] + (aligned.value == i);
        }
        aligned.value = -1;
#pragma omp taskwait
        for (int i = 0; i < MANY; i++) CHECK_EQ(results[i], i * 100 + i + 1);
    }
    return verdict();
}
