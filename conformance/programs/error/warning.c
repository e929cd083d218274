// error at(execution) severity(warning): the message goes to standard error and the program goes on. OpenMP 5.1, 2.5.4
//@ expect-stderr: warning low on paper
//@ threads: 1 3
//@ needs: clang 16, gcc 12
#include "check.h"

int main(void) {
    int after = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp error at(execution) severity(warning) message("low on paper")
        }
    }
#pragma omp parallel
#pragma omp atomic
    after++;
    CHECK_EQ(after, omp_get_max_threads());
    return verdict();
}
