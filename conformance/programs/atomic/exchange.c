// atomic compare as compare-and-swap in all its forms: alone, with the comparison's result, with what was found. Threads count a
// variable up by it. OpenMP 5.1, 2.19.7
//@ needs: clang 16, gcc 12
#include "check.h"

enum { EACH = 20 };

int main(void) {
    int plain = 0, told = 0, found = 0, threads = omp_get_max_threads();
    long long wide = 0;
#pragma omp parallel
    for (int i = 0; i < EACH; i++) {
        // With the comparison's result.
        int expected, success = 0;
        while (!success) {
#pragma omp atomic read
            expected = told;
            int next = expected + 1;
#pragma omp atomic compare capture
            {
                success = told == expected;
                if (success) { told = next; }
            }
        }
        // With what was found, where it differed.
        int seen = 0;
        for (;;) {
            int want = seen, next = seen + 1;
            success = 0;
#pragma omp atomic compare capture
            {
                success = found == want;
                if (success) { found = next; } else { seen = found; }
            }
            if (success) break;
        }
        // With the value before.
        long long before, want = 0;
        for (;;) {
            long long next = want + 3;
#pragma omp atomic compare capture seq_cst
            {
                before = wide;
                if (wide == want) { wide = next; }
            }
            if (before == want) break;
            want = before;
        }
        // Alone: only zero changes, and only once.
        int one = 1, zero = 0;
#pragma omp atomic compare
        if (plain == zero) { plain = one; }
    }
    CHECK_EQ(told, EACH * threads);
    CHECK_EQ(found, EACH * threads);
    CHECK_EQ(wide, 3LL * EACH * threads);
    CHECK_EQ(plain, 1);
    return verdict();
}
