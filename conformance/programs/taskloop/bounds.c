// Taskloops over variables of all types, up and down, with steps, near the ends of their ranges, and without iterations.
// OpenMP 5.1, 2.12.2 (taskloop), 2.11.1 (canonical loops)
#include "check.h"
#include <limits.h>

#define LOOP(type, from, compare, to, step, want)                  \
    {                                                              \
        long count = 0;                                            \
        unsigned long long sum = 0, expected = 0;                  \
        OMP(taskloop reduction(+ : count, sum) grainsize(3))       \
        for (type i = from; i compare to; i += step) {             \
            count++;                                               \
            sum += (unsigned long long)i;                          \
        }                                                          \
        type value = from;                                         \
        for (long n = 0; n < want; n++, value += step) expected += (unsigned long long)value; \
        CHECK_EQ(count, want);                                     \
        CHECK(sum == expected, "sums %llu and %llu", sum, expected); \
    }

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        LOOP(int, 0, <, 100, 1, 100)
        LOOP(int, 10, >, -11, -2, 11)
        LOOP(int, INT_MIN, <, INT_MIN + 50, 7, 8)
        LOOP(int, INT_MAX, >, INT_MAX - 10, -3, 4)
        LOOP(unsigned, UINT_MAX - 20, <, UINT_MAX - 2, 3, 6)
        LOOP(long, LONG_MIN, <=, LONG_MIN + 9, 1, 10)
        LOOP(unsigned long long, 5, <, 26, 5, 5)
        LOOP(unsigned long long, ULLONG_MAX - 7, <, ULLONG_MAX - 1, 2, 3)
        LOOP(long long, LLONG_MAX - 1, >, LLONG_MAX - 8, -2, 4)
        LOOP(short, -5, <=, 5, 1, 11)
        LOOP(unsigned char, 3, <, 150, 100, 2)
        LOOP(int, 5, <, 5, 1, 0)
    }
    return verdict();
}
