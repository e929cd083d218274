// Many variables that need the lock of atomic regions, of several types and in several functions at once: none loses an update, and
// holding one does not keep a thread from another. OpenMP 5.1, 2.19.7
//@ libs: atomic
#include "check.h"

enum { VARIABLES = 32, ROUNDS = 12 };

static long double reals[VARIABLES];
static __int128 wides[VARIABLES];

static void one_more(int i) {
#pragma omp atomic
    reals[i] += 1;
}

static long double next_of(int i) {
    long double next;
#pragma omp atomic capture
    next = reals[i] += 1;
    // A function that is itself called from the expression of another atomic region.
    one_more((i + 1) % VARIABLES);
    return next;
}

int main(void) {
    int threads = omp_get_max_threads();
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < VARIABLES; i++) {
            int at = (i + omp_get_thread_num() * 5) % VARIABLES;
            // The expression is evaluated outside of the region.
#pragma omp atomic
            wides[at] += (__int128)(next_of(at) > 0) << 70;
        }
    for (int i = 0; i < VARIABLES; i++) {
        CHECK(reals[i] == 2 * threads * ROUNDS, "%Lg", reals[i]);
        CHECK_EQ(wides[i] >> 70, threads * ROUNDS);
    }
    return verdict();
}
