// Strict numbers of threads with message and severity, as a compiler of OpenMP 6.0 emits them, on parallel and on a combined construct; the
// message may be computed. OpenMP 6.0, 12.1.2, 10.3, 10.4
//@ compilers: clang
//@ needs: clang 22
//@ flags: -fopenmp-version=60
//@ threads: 1 2
//@ env: OMP_THREAD_LIMIT=4
//@ expect-stderr: warning num_threads(strict: 9) gets 4 threads: four will do
//@ expect-stderr: warning num_threads(strict: 6) gets 4 threads: six wanted
//@ expect-stderr: warning num_threads(strict: 3) gets 1 thread: alone
#include "check.h"

int main(int argc, char **argv) {
    (void)argv;
    int size = 0, sum = 0, nine = argc + 8;
    char words[16];
    snprintf(words, sizeof words, "%s wanted", "six");
#pragma omp parallel num_threads(strict : nine) severity(warning) message("four will do") reduction(+ : size)
    size++;
    CHECK_EQ(size, 4);
#pragma omp parallel for num_threads(strict : 6) message(words) severity(warning) reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    CHECK_EQ(sum, 4950);
#pragma omp parallel num_threads(strict : 4) message("never said")
    CHECK_EQ(omp_get_num_threads(), 4);
#pragma omp parallel if (nine == 0) num_threads(strict : 3) severity(warning) message("alone")
    CHECK_EQ(omp_get_num_threads(), 1);
    return verdict();
}
