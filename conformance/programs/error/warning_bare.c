// error at(execution) severity(warning) without a message. OpenMP 5.1, 2.5.4
//@ expect-stderr: warning error directive
//@ threads: 2
//@ needs: clang 16, gcc 12
#include "check.h"

int main(void) {
#pragma omp error at(execution) severity(warning)
    return verdict();
}
