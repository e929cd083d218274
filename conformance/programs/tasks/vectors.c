// Tasks keep vectors and other aligned variables of theirs where the processor's aligned instructions find them; copies of all sizes, in
// tasks and taskloops. OpenMP 5.1, 2.12.1, 2.21.4.4 (firstprivate clause)
#include <stdint.h>

#include "check.h"

typedef float v4 __attribute__((vector_size(16)));
typedef double v8 __attribute__((vector_size(64)));
struct lined {
    _Alignas(64) char line[64];
};
struct large {
    _Alignas(64) char bytes[6400];
};

static int wrong;

static void look(v4 *small, v8 *wide, struct lined *line, struct large *large, int i) {
    if ((*small)[2] != 3 || (*wide)[7] != 8 || line->line[5] != 5 || (large && large->bytes[6000] != 6) ||
        (uintptr_t)small % 16 || (uintptr_t)wide % 64 || (uintptr_t)line % 64 || (uintptr_t)large % 64 || i < 0) {
#pragma omp atomic
        wrong++;
    }
}

int main(void) {
    v4 small = {1, 2, 3, 4};
    v8 wide = {1, 2, 3, 4, 5, 6, 7, 8};
    struct lined line = {{0, 1, 2, 3, 4, 5}};
    struct large large = {{0}};
    large.bytes[6000] = 6;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(small, wide, line, i)
            look(&small, &wide, &line, NULL, i);
            if (i % 10 == 0) {
#pragma omp task firstprivate(small, wide, line, large, i)
                look(&small, &wide, &line, &large, i);
            }
#pragma omp task firstprivate(small, wide, line, i) if (i % 3)
            look(&small, &wide, &line, NULL, i);
        }
#pragma omp taskloop firstprivate(small, wide, line, large) num_tasks(20)
        for (int i = 0; i < 40; i++) look(&small, &wide, &line, &large, i);
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}
