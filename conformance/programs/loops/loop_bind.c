// The loop construct with each binding that a host program may give it, collapsed, with reduction and lastprivate, orphaned and inside a
// task. OpenMP 5.1, 2.11.7 (loop construct)
//@ needs: clang 14, gcc 10
#include "check.h"

enum { N = 300 };

static int hits[N];

static void clear(const char *what, int times) {
    for (int i = 0; i < N; i++) {
        CHECK(hits[i] == times, "%s: %d ran %d times", what, i, hits[i]);
        hits[i] = 0;
    }
}

int main(void) {
    int threads = omp_get_max_threads();
#pragma omp parallel
    {
#pragma omp loop bind(parallel)
        for (int i = 0; i < N; i++) hits[i]++;
#pragma omp loop
        for (int i = N - 1; i >= 0; i -= 1) hits[i]++;
    }
    clear("parallel", 2);
#pragma omp parallel
    {
        int own[N] = {0};
#pragma omp loop bind(thread)
        for (int i = 0; i < N; i++) own[i]++;
        for (int i = 0; i < N; i++) {
#pragma omp atomic
            hits[i] += own[i];
        }
    }
    clear("thread", threads);
    int sum = 0, i, j;
#pragma omp parallel
    {
#pragma omp loop collapse(2) reduction(+ : sum) bind(parallel) lastprivate(i, j)
        for (i = 0; i < 20; i++)
            for (j = 0; j < 15; j++) {
                hits[i * 15 + j]++;
                sum += i * j;
            }
    }
    clear("collapse", 1);
    CHECK_EQ(sum, 190 * 105);
    CHECK_EQ(i, 20);
    CHECK_EQ(j, 15);
#pragma omp parallel loop
    for (int k = 0; k < N; k += 3) hits[k] += 2;
    for (int k = 0; k < N; k++) {
        CHECK_EQ(hits[k], k % 3 ? 0 : 2);
        hits[k] = 0;
    }
#pragma omp parallel
#pragma omp single
#pragma omp task
    {
#pragma omp loop bind(thread)
        for (int k = 0; k < N; k++) hits[k]++;
    }
    clear("task", 1);
    return verdict();
}
