// cancel for in combined parallel loops of each schedule, again and again. OpenMP 5.1, 2.20.1
//@ stock-fails: clang because libomp does not leave a loop that was cancelled before its last chunk
//@ env: OMP_CANCELLATION=true
#include "check.h"

enum { N = 300 };

#define TRY(...)                                                                               \
    for (int round = 0; round < 15; round++) {                                                 \
        int hits[N] = {0}, past = 0;                                                           \
        OMP(parallel for schedule(__VA_ARGS__) shared(hits, past))                                    \
        for (int i = 0; i < N; i++) {                                                          \
            __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);                                 \
            if (i % 60 == round) {                                                             \
                OMP(cancel for)                                                                \
                __atomic_store_n(&past, 1, __ATOMIC_RELAXED);                                  \
            }                                                                                  \
            OMP(cancellation point for)                                                        \
        }                                                                                      \
        CHECK_EQ(past, 0);                                                                     \
        for (int i = 0; i < N; i++) CHECK(hits[i] <= 1, #__VA_ARGS__ " %d: %d", i, hits[i]);          \
    }

int main(void) {
    TRY(static)
    TRY(static, 2)
    TRY(dynamic, 3)
    TRY(nonmonotonic : dynamic)
    TRY(guided)
    TRY(auto)
    return verdict();
}
