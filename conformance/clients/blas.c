// OpenBLAS on OpenMP threads: products and a solution whose numbers are small integers or halves of them, so that every order of
// summation gives the same bits. Prints digests.
#include <cblas.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *matrix(int n, int seed) {
    double *made = malloc(sizeof *made * n * n);
    if (made == NULL) exit(1);
    for (int i = 0; i < n * n; i++) made[i] = (i * seed % 13) * 0.5 - 3;
    return made;
}

static void show(const char *what, const double *values, int count) {
    double weighted = 0;
    for (int i = 0; i < count; i++) weighted += values[i] * (i % 11);
    printf("%s %.17g\n", what, weighted);
}

int main(void) {
    if (strstr(openblas_get_config(), "USE_OPENMP") == NULL) {
        fprintf(stderr, "blas: this OpenBLAS does not use OpenMP: %s\n", openblas_get_config());
        return 1;
    }
    for (int n = 64; n <= 448; n += 96) {
        double *a = matrix(n, 7), *b = matrix(n, 5), *c = matrix(n, 3);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0, a, n, b, n, 0.5, c, n);
        show("dgemm", c, n * n);
        cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, n, n, 1.0, a, n, 0.0, c, n);
        show("dsyrk", c, n * n);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 2.0, a, n, b, 1, 0.0, c, 1);
        show("dgemv", c, n);
        // A triangle of ones: the solution is made of differences.
        for (int i = 0; i < n * n; i++) a[i] = 1;
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, n, n, 1.0, a, n, b, n);
        show("dtrsm", b, n * n);
        free(a);
        free(b);
        free(c);
    }
    // Several teams of the program's own, each with products inside.
    double sums[4] = {0};
#pragma omp parallel for num_threads(4)
    for (int k = 0; k < 4; k++) {
        double *a = matrix(96, 3 + k), *b = matrix(96, 5), *c = matrix(96, 1);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 96, 96, 96, 1.0, a, 96, b, 96, 0.0, c, 96);
        for (int i = 0; i < 96 * 96; i++) sums[k] += c[i] * (i % 7);
        free(a);
        free(b);
        free(c);
    }
    show("inside a region", sums, 4);
    return 0;
}
