// An unbalanced random tree walked with a task a node and no taskwait: the region's barrier alone completes them all.
// OpenMP 5.1, 2.12.1, 2.19.3 (implicit barriers)
#include "check.h"

static int nodes;

static unsigned mix(unsigned x) {
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    return x ^ (x >> 16);
}

static int children(unsigned seed, int depth) { return depth > 40 ? 0 : depth < 3 ? 5 : (int)(mix(seed) % 100 < 38) * 2 + (seed % 9 == 0); }

static void visit(unsigned seed, int depth) {
#pragma omp atomic
    nodes++;
    int n = children(seed, depth);
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        visit(mix(seed + (unsigned)i + 1), depth + 1);
    }
}

static int count(unsigned seed, int depth) {
    int sum = 1, n = children(seed, depth);
    for (int i = 0; i < n; i++) sum += count(mix(seed + (unsigned)i + 1), depth + 1);
    return sum;
}

int main(void) {
    int want = count(4, 0);
    CHECK(want > 200, "%d", want);
    for (int round = 0; round < 3; round++) {
        nodes = 0;
#pragma omp parallel
#pragma omp master
        visit(4, 0);
        CHECK_EQ(nodes, want);
    }
    return verdict();
}
