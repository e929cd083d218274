// Atomics on types that no instruction covers: long double and 128-bit integers. They go
// through __kmpc_atomic_start or libatomic (clang), GOMP_atomic_start (gcc). OpenMP 5.1, 2.19.7
//@ libs: atomic
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = 60;
    long double extended = 1, least;
    __int128 big = 0;
#pragma omp parallel private(least)
    for (int i = 0; i < rounds; i++) {
#pragma omp atomic
        extended += 0.5L;
#pragma omp atomic
        big += ((__int128)1 << 64) + 1;
#pragma omp atomic capture
        {
            least = extended;
            extended = extended + 0.5L;
        }
        CHECK(least >= 1, "%Lg", least);
    }
    long n = (long)threads * rounds;
    CHECK(extended == 1 + n, "%Lg", extended);
    CHECK((long)(big >> 64) == n && (long)big == n, "%ld %ld", (long)(big >> 64), (long)big);
    return verdict();
}
