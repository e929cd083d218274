// KMP_DETERMINISTIC_REDUCTION: a sum of reals has the same bits each time.
//@ env: KMP_DETERMINISTIC_REDUCTION=true
//@ compilers: clang
#include "check.h"
#include <string.h>

int main(void) {
    double first = 0;
    for (int round = 0; round < 60; round++) {
        double sum = 0, product = 1;
#pragma omp parallel reduction(+ : sum) reduction(* : product)
        {
            int me = omp_get_thread_num();
            if (round % 3 == me % 3) spin_work(200);
            sum += 1.0 / (3 + me * me) + 1e-9 * me;
            product *= 1.0 + 1.0 / (7 + me);
        }
        double both = sum + product;
        if (round == 0) first = both;
        CHECK(!memcmp(&both, &first, sizeof both), "%.17g and %.17g", both, first);
    }
    return verdict();
}
