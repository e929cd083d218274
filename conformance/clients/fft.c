// FFTW's transforms on OpenMP threads: prints digests of the spectra, so that two runs can be compared bit by bit.
// FFTW_ESTIMATE: the same plan in each run.
#include <fftw3.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long digest(const void *data, size_t bytes) {
    const unsigned char *at = data;
    unsigned long sum = 1469598103934665603UL;
    for (size_t i = 0; i < bytes; i++) sum = (sum ^ at[i]) * 1099511628211UL;
    return sum;
}

static void transform(int rank, const int *sizes) {
    size_t total = 1;
    for (int i = 0; i < rank; i++) total *= sizes[i];
    fftw_complex *in = fftw_malloc(total * sizeof *in), *out = fftw_malloc(total * sizeof *out);
    if (in == NULL || out == NULL) exit(1);
    fftw_plan forward = fftw_plan_dft(rank, sizes, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan backward = fftw_plan_dft(rank, sizes, out, in, FFTW_BACKWARD, FFTW_ESTIMATE);
    for (size_t i = 0; i < total; i++) {
        in[i][0] = (double)(i * 7 % 31) - 15;
        in[i][1] = (double)(i * 5 % 17) - 8;
    }
    for (int round = 0; round < 3; round++) {
        fftw_execute(forward);
        unsigned long spectrum = digest(out, total * sizeof *out);
        fftw_execute(backward);
        printf("%d dimensions, %zu points: %016lx %016lx\n", rank, total, spectrum, digest(in, total * sizeof *in));
        for (size_t i = 0; i < total; i++) {
            in[i][0] /= (double)total;
            in[i][1] /= (double)total;
        }
    }
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
    fftw_free(in);
    fftw_free(out);
}

int main(void) {
    if (!fftw_init_threads()) return 1;
    fftw_plan_with_nthreads(omp_get_max_threads());
    transform(1, (int[]){1 << 16});
    transform(2, (int[]){240, 250});
    transform(3, (int[]){32, 45, 50});
    fftw_cleanup_threads();
    return 0;
}
