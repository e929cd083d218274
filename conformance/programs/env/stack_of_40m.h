// Threads other than the initial one have a stack that 40 MiB fit into.
#include "check.h"

int main(void) {
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        char room[omp_get_thread_num() == 0 ? 64 : 40 << 20];
        for (size_t i = 0; i < sizeof room; i += 2048) room[i] = 1;
        sum += room[0];
    }
    CHECK_EQ(sum, omp_get_max_threads());
    return verdict();
}
