// A pipeline of stages over many items, ordered by dependences on array elements and on stage tokens, with undeferred tasks
// that must wait for their predecessors. OpenMP 5.1, 2.19.11
#include "check.h"

enum { ITEMS = 40, STAGES = 5 };

static int item[ITEMS], token[STAGES], seen[STAGES];

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < ITEMS; i++) {
            for (int s = 0; s < STAGES; s++) {
#pragma omp task depend(inout : item[i], token[s]) firstprivate(i, s) if ((i + s) % 7 != 0)
                {
                    CHECK_EQ(item[i], s);
                    CHECK_EQ(seen[s], i);
                    item[i]++;
                    seen[s]++;
                }
            }
        }
#pragma omp taskwait
        for (int i = 0; i < ITEMS; i++) CHECK_EQ(item[i], STAGES);
    }
    for (int s = 0; s < STAGES; s++) CHECK_EQ(seen[s], ITEMS);
    return verdict();
}
