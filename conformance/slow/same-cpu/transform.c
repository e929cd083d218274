// Walsh-Hadamard transforms of signals. The settings bind both threads to the same CPU.
// slow: cause: same-cpu
// slow: compilers: gcc clang
// slow: threads: 2
// slow: env: OMP_PLACES={0},{0} OMP_PROC_BIND=close
// slow: mended-env: OMP_PLACES={0},{1} OMP_PROC_BIND=spread
// slow: try: spread over CPUs
// slow: note: CPUs 0 and 1 must be free to use. The cause is in the settings; the regions named here suffer from it.
#include "../slow.h"

enum { SIGNALS = 64, LENGTH = 1024 };

static int signal_of[SIGNALS][LENGTH];

static void receive(long number) {
#pragma omp parallel for
    for (int s = 0; s < SIGNALS; s++)
        for (int i = 0; i < LENGTH; i++) signal_of[s][i] = (int)((i * (s + 3) + number) % 127);
}

static void transform(int *signal) {
    for (int half = 1; half < LENGTH; half *= 2)
        for (int block = 0; block < LENGTH; block += 2 * half)
            for (int i = block; i < block + half; i++) {
                int a = signal[i], b = signal[i + half];
                signal[i] = a + b;
                signal[i + half] = a - b;
            }
}

static void transform_all(void) {
#pragma omp parallel for // slow: here
    for (int s = 0; s < SIGNALS; s++) transform(signal_of[s]);
}

static long loudest(void) {
    long most = 0;
#pragma omp parallel for reduction(max : most) // slow: or here
    for (int s = 0; s < SIGNALS; s++)
        for (int i = 1; i < LENGTH; i++)
            if (labs(signal_of[s][i]) > most) most = labs(signal_of[s][i]);
    return most;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1800), sum = 0;
    for (long number = 0; number < rounds; number++) {
        receive(number);
        transform_all();
        sum += loudest();
    }
    return finish(sum > 0, (double)sum);
}
