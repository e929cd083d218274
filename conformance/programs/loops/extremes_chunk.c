// Chunks so large that chunk times step, or chunk plus position, leaves the type: still each iteration once.
// OpenMP 5.1, 2.11.4
//@ stock-fails: gcc because libgomp multiplies the chunk by the step without looking at overflow
#include <limits.h>

#include "check.h"

#define TRY(kind)                                                                                       \
    do {                                                                                                \
        int runs = 0;                                                                                   \
        OMP(parallel for schedule kind reduction(+ : runs))                                             \
        for (long i = LONG_MIN; i < LONG_MIN + 6000000000000000000; i += 2500000000000000000) runs++;   \
        CHECK_EQ(runs, 3);                                                                              \
        OMP(parallel for schedule kind reduction(+ : runs))                                             \
        for (int i = 0; i < 1500000000; i += 400000000) runs++;                                         \
        CHECK_EQ(runs, 7);                                                                              \
        OMP(parallel for schedule kind reduction(+ : runs))                                             \
        for (unsigned long i = ULONG_MAX - 20; i < ULONG_MAX - 4; i += 3) runs++;                       \
        CHECK_EQ(runs, 13);                                                                             \
    } while (0)

int main(void) {
    TRY((static, 4));
    TRY((dynamic, 4));
    TRY((guided, 4));
    TRY((dynamic, INT_MAX));
    TRY((guided, INT_MAX));
#ifdef __clang__
    // gcc computes static chunks itself, and overflows.
    TRY((static, INT_MAX));
#endif
    return verdict();
}
