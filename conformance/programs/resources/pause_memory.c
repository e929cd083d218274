// A pause gives the stacks of the workers back to the system.
// OpenMP 5.1, 3.6.1
//@ env: OMP_STACKSIZE=64M
//@ env: MALLOC_ARENA_MAX=1
//@ env: OMP_NUM_THREADS=8
//@ stock-fails: clang because it keeps its threads
#include "check.h"
#include "threads.h"
#include <string.h>

// Megabytes of address space that the process has.
static long megabytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;
    if (!file || fscanf(file, "%ld", &pages) != 1) return -1;
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
}

int main(void) {
    int before = threads_now();
    for (int round = 0; round < 3; round++) {
        int size = 0;
#pragma omp parallel reduction(+ : size)
        size++;
        CHECK_EQ(size, 8);
        long held = megabytes();
        CHECK_EQ(omp_pause_resource_all(round & 1 ? omp_pause_hard : omp_pause_soft), 0);
        CHECK_EQ(threads_settle(before), before);
        long left = megabytes();
        // The C library keeps a stack or two for later. (An arena of its heap for each thread would be as large as a stack.)
        CHECK(left <= held - 6 * 64 + 128, "%ld MB of %ld MB are left", left, held);
    }
    return verdict();
}
