// A schedule(runtime) loop executes each iteration once.
#include "check.h"

int main(void) {
    int sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 101; i++) sum += i;
    CHECK_EQ(sum, 5050);
    return verdict();
}
