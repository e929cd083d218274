// Under `ulimit -s unlimited` the system gives threads stacks of its own choice: teams of any size still come about, and use some
// stack. OpenMP 5.1, 6.6
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static unsigned use_stack(unsigned depth) {
    volatile char block[4096];
    memset((char *)block, (int)depth, sizeof block);
    return block[depth % sizeof block] + (depth ? use_stack(depth - 1) : 0);
}

int main(int argc, char **argv) {
    (void)argc;
    if (!getenv("CORPUS_UNLIMITED")) {
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        // Where the hard limit forbids it there is nothing to check.
        if (setrlimit(RLIMIT_STACK, &limit) != 0) return verdict();
        setenv("CORPUS_UNLIMITED", "1", 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    int n = 0;
    unsigned sum = 0;
#pragma omp parallel reduction(+ : n, sum)
    {
        n++;
        sum += use_stack(100);
#pragma omp barrier
    }
    CHECK_EQ(n, omp_get_max_threads());
    CHECK(sum != 1, "%u", sum);
    return verdict();
}
