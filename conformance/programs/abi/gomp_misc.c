// GOMP entry points that compilers reach rarely: atomic_start/end, critical with and without a name, single_copy, ordered.
// OpenMP 5.1, 2.19; libgomp's GOMP_1.0 interface
//@ compilers: gcc
#include <stdbool.h>

#include "check.h"

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **);
void GOMP_critical_name_end(void **);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);
void GOMP_barrier(void);

int main(void) {
    static void *names[2];
    int threads = omp_get_max_threads(), singles = 0;
    long a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel
    for (int i = 0; i < 40; i++) {
        GOMP_atomic_start();
        a++;
        GOMP_atomic_end();
        GOMP_critical_start();
        b++;
        GOMP_critical_end();
        GOMP_critical_name_start(&names[0]);
        c++;
        GOMP_critical_name_start(&names[1]);
        d++;
        GOMP_critical_name_end(&names[1]);
        GOMP_critical_name_end(&names[0]);
        if (GOMP_single_start()) {
#pragma omp atomic
            singles++;
        }
        int own = i * 7;
        int *copied = GOMP_single_copy_start();
        if (copied == NULL) {
            GOMP_single_copy_end(&own);
        } else {
            CHECK_EQ(*copied, i * 7);
        }
        GOMP_barrier();
    }
    CHECK_EQ(a, 40L * threads);
    CHECK_EQ(b, 40L * threads);
    CHECK_EQ(c, 40L * threads);
    CHECK_EQ(d, 40L * threads);
    CHECK_EQ(singles, 40);
    return verdict();
}
