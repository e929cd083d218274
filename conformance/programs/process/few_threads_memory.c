// An address space in which only some of the stacks fit (RLIMIT_AS): the region runs with the threads that could be had, and one
// line says so. OpenMP 5.1, 2.6.1
//@ env: OMP_STACKSIZE=64M
//@ threads: 33
//@ stock-fails: gcc because libgomp ends the program
//@ stock-fails: clang because libomp ends the program
//@ expect-stderr: ferromp: cannot create a thread fewer
#include <string.h>
#include <sys/resource.h>

#include "check.h"

// Pages in use, from /proc/self/statm.
static long pages(void) {
    long count = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld", &count) == 1, "statm");
    if (file) fclose(file);
    return count;
}

int main(void) {
    // Room for some of the stacks, and for the arenas that the C library gives threads.
    rlim_t bytes = (rlim_t)pages() * 4096 + ((rlim_t)900 << 20);
    struct rlimit limit = {bytes, bytes};
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    int before = 0;
    omp_set_dynamic(0);
    for (int round = 0; round < 5; round++) {
        int n = 0;
#pragma omp parallel reduction(+ : n)
        {
            n++;
#pragma omp barrier
        }
        CHECK(n > 1 && n < 33, "%d threads", n);
        CHECK(n >= before, "%d threads, %d before", n, before);
        before = n;
    }
    return verdict();
}
