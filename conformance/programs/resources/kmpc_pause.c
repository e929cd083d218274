// __kmpc_pause_resource: 1 and 2 pause, 0 ends a pause; one that is not there cannot be ended.
//@ compilers: clang
#include "check.h"

int __kmpc_pause_resource(int level);

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK(__kmpc_pause_resource(0) != 0, "ended");
    CHECK_EQ(__kmpc_pause_resource(1), 0);
    CHECK_EQ(__kmpc_pause_resource(0), 0);
    CHECK(__kmpc_pause_resource(0) != 0, "ended twice");
    CHECK(__kmpc_pause_resource(9) != 0, "accepted");
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 2 * omp_get_max_threads());
    CHECK_EQ(__kmpc_pause_resource(2), 0);
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 3 * omp_get_max_threads());
    return verdict();
}
