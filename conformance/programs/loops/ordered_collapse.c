// ordered on collapsed loops: the region runs in the order of the collapsed iterations; orphaned regions in a called function; several
// ordered loops in a row without barriers. OpenMP 5.1, 2.19.9, 2.11.4 (collapse clause)
//@ stock-fails: gcc because libgomp mixes up the turns of ordered loops that follow each other without a barrier
#include "check.h"

enum { A = 5, B = 4, C = 3 };

static int order[A * B * C], count;

static void note(int number) {
#pragma omp ordered
    order[count++] = number;
}

#define TRY(clause)                                                                               \
    do {                                                                                          \
        count = 0;                                                                                \
        OMP(parallel for collapse(3) ordered clause)                                              \
        for (int a = 0; a < A; a++)                                                               \
            for (int b = B - 1; b >= 0; b--)                                                      \
                for (unsigned c = 0; c < C; c++) note((a * B + (B - 1 - b)) * C + (int)c);        \
        CHECK_EQ(count, A * B * C);                                                               \
        for (int k = 0; k < count; k++) CHECK(order[k] == k, "%s: %d in place %d", #clause, order[k], k); \
    } while (0)

int main(void) {
    for (int round = 0; round < 4; round++) {
        TRY(schedule(static));
        TRY(schedule(static, 2));
        TRY(schedule(dynamic));
        TRY(schedule(dynamic, 7));
        TRY(schedule(guided, 2));
    }
    int next[12] = {0};
#pragma omp parallel
    for (int k = 0; k < 12; k++) {
        if (k % 2) {
#pragma omp for ordered schedule(dynamic) nowait
            for (int i = 0; i < 20; i++) {
#pragma omp ordered
                {
                    CHECK(next[k] == i, "loop %d: %d instead of %d", k, i, next[k]);
                    next[k]++;
                }
            }
        } else {
#pragma omp for ordered schedule(static, 3) nowait
            for (int i = 0; i < 20; i++) {
#pragma omp ordered
                {
                    CHECK(next[k] == i, "loop %d: %d instead of %d", k, i, next[k]);
                    next[k]++;
                }
            }
        }
    }
    for (int k = 0; k < 12; k++) CHECK_EQ(next[k], 20);
    return verdict();
}
