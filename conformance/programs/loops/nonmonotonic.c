// Nonmonotonic dynamic and guided loops, also with very uneven iterations and 64-bit ranges, run each iteration once.
// OpenMP 5.1, 2.11.4 (schedule modifiers)
#include "check.h"

enum { N = 701 };

static int hits[N];

#define TRY(text, type, base)                                                                 \
    do {                                                                                      \
        for (int i = 0; i < N; i++) hits[i] = 0;                                              \
        _Pragma(text)                                                                         \
        for (type i = (type)(base); i < (type)(base) + N; i++) {                              \
            if ((i - (type)(base)) % 100 == 0) spin_work(2000);                               \
            __atomic_fetch_add(&hits[i - (type)(base)], 1, __ATOMIC_RELAXED);                 \
        }                                                                                     \
        for (int i = 0; i < N; i++) CHECK(hits[i] == 1, "%s: %d ran %d times", text, i, hits[i]); \
    } while (0)

int main(void) {
    for (int round = 0; round < 4; round++) {
        TRY("omp parallel for schedule(nonmonotonic : dynamic)", int, -350);
        TRY("omp parallel for schedule(nonmonotonic : dynamic, 6)", unsigned, 4294966000u);
        TRY("omp parallel for schedule(nonmonotonic : guided)", long, -9000000000000000000L);
        TRY("omp parallel for schedule(nonmonotonic : guided, 10)", unsigned long, 18446744073709550000UL);
        TRY("omp parallel for schedule(nonmonotonic : dynamic, 1000)", int, 0);
    }
    return verdict();
}
