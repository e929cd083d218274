// Doacross loops outside any parallel region, in a team of one, and orphaned in a function that both call.
// OpenMP 5.1, 2.19.9
#include "check.h"

enum { N = 40 };

static int value[N][N];

static void sweep(int from) {
#pragma omp for ordered(2) schedule(dynamic)
    for (int i = from; i < N; i++)
        for (int j = 1; j < N; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            value[i][j] = (value[i - 1][j] + value[i][j - 1]) % 1013;
#pragma omp ordered depend(source)
        }
}

static void prepare(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) value[i][j] = i == 0 || j == 0;
}

static void check(const char *what) {
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) CHECK(value[i][j] == (value[i - 1][j] + value[i][j - 1]) % 1013, "%s: %d %d", what, i, j);
}

int main(void) {
    prepare();
    sweep(1);
    check("serial");
    prepare();
#pragma omp parallel num_threads(1)
    sweep(1);
    check("one thread");
    prepare();
#pragma omp parallel if (0)
    sweep(1);
    check("if(0)");
    prepare();
#pragma omp parallel
    sweep(1);
    check("orphaned");
    return verdict();
}
