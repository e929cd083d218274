// A firstprivate object of 64 KiB and its alignment survive the copy into each thread.
// OpenMP 5.1, 2.21.4.4 (firstprivate clause)
#include <stdint.h>

#include "check.h"

struct big {
    _Alignas(64) unsigned char bytes[65536];
};

static struct big big;

int main(void) {
    for (int i = 0; i < 65536; i++) big.bytes[i] = (unsigned char)(i * 31 + 7);
#pragma omp parallel firstprivate(big)
    {
        CHECK_EQ((uintptr_t)&big % 64, 0);
        int wrong = 0;
        for (int i = 0; i < 65536; i++) wrong += big.bytes[i] != (unsigned char)(i * 31 + 7);
        CHECK_EQ(wrong, 0);
        big.bytes[0] = (unsigned char)omp_get_thread_num();
    }
    CHECK_EQ(big.bytes[0], 7);
    return verdict();
}
