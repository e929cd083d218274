// cancel with an if clause that is false asks for nothing; one that is true does. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    int whole = 0, part = 0;
#pragma omp parallel for reduction(+ : whole)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (i < 0)
        whole++;
    }
    CHECK_EQ(whole, 100);
#pragma omp parallel for schedule(static) shared(part)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (i >= 0)
#pragma omp atomic
        part++;
    }
    CHECK_EQ(part, 0);
    return verdict();
}
