// Loops of teams so large that members leave them in groups, and have shares of few chunks: each iteration once,
// also where a member is late, in loops with nowait, and in teams of different sizes by turns; lastprivate variables have
// the value of the last iteration. OpenMP 5.1, 2.11.4, 2.21.4.5
#include "check.h"

enum { MOST = 4000, LOOPS = 11 };

static int hits[MOST];

static void checked(const char *what, int threads, int n, int last) {
    for (int i = 0; i < n; i++) {
        CHECK(hits[i] == 1, "%s, %d threads: %d of %d ran %d times", what, threads, i, n, hits[i]);
        hits[i] = 0;
    }
    if (n > 0) CHECK(last == 3 * (n - 1), "%s, %d threads: the last of %d gave %d", what, threads, n, last);
}

#define TRY(threads, n, late, ...)                                                          \
    do {                                                                                    \
        int last = -1;                                                                      \
        _Pragma("omp parallel num_threads(threads)")                                        \
        {                                                                                   \
            if (omp_get_thread_num() == (late)) spin_work(20000);                           \
            OMP(for schedule(__VA_ARGS__) lastprivate(last))                                \
            for (int i = 0; i < n; i++) {                                                   \
                if (i % 97 == 0) spin_work(500);                                            \
                __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);                          \
                last = 3 * i;                                                               \
            }                                                                               \
        }                                                                                   \
        checked(#__VA_ARGS__, threads, n, last);                                            \
    } while (0)

// More loops than a team has slots, without barriers between them.
static void without_barriers(int threads) {
    static int counts[LOOPS][300];
#pragma omp parallel num_threads(threads)
    for (int k = 0; k < LOOPS; k++) {
        int n = 300 - k;
        if (k % 2) {
#pragma omp for schedule(nonmonotonic : guided) nowait
            for (int i = 0; i < n; i++) __atomic_fetch_add(&counts[k][i], 1, __ATOMIC_RELAXED);
        } else {
#pragma omp for schedule(nonmonotonic : dynamic) nowait
            for (int i = 0; i < n; i++) __atomic_fetch_add(&counts[k][i], 1, __ATOMIC_RELAXED);
        }
    }
    for (int k = 0; k < LOOPS; k++)
        for (int i = 0; i < 300; i++) {
            CHECK(counts[k][i] == (i < 300 - k), "loop %d, %d ran %d times", k, i, counts[k][i]);
            counts[k][i] = 0;
        }
}

int main(void) {
    static const int teams[] = {12, 3, 17, 9, 40, 12};
    static const int sizes[] = {0, 5, 200, 1000, 3997};
    omp_set_dynamic(0);
    for (unsigned t = 0; t < sizeof teams / sizeof *teams; t++) {
        int threads = teams[t];
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int n = sizes[s];
            TRY(threads, n, 0, nonmonotonic : dynamic);
            TRY(threads, n, threads - 1, nonmonotonic : dynamic, 3);
            TRY(threads, n, 0, nonmonotonic : guided);
            TRY(threads, n, threads - 1, nonmonotonic : guided, 7);
            TRY(threads, n, 1, monotonic : guided, 2);
            TRY(threads, n, 1, static, 5);
        }
        without_barriers(threads);
    }
    return verdict();
}
