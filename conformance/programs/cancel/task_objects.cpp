// Tasks of a cancelled taskgroup with objects: what was copied into a task is destroyed, whether the task ran or was discarded.
// OpenMP 5.1, 2.20.1, 2.21.4.4
//@ env: OMP_CANCELLATION=true
#include "check.h"

static int alive, ran;

struct Object {
    int value;
    explicit Object(int value) : value(value) { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
    Object(const Object &other) : value(other.value) { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
    ~Object() { __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED); }
};

int main() {
    for (int round = 0; round < 30; round++) {
        ran = 0;
        Object object(round);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
        {
            for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(object)
                {
                    __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
                    CHECK_EQ(object.value, round);
                    if (i == 5) {
#pragma omp cancel taskgroup
                    }
                }
            }
        }
        CHECK(ran >= 1 && ran <= 40, "%d tasks", ran);
        CHECK_EQ(alive, 1);
    }
    CHECK_EQ(alive, 0);
    return verdict();
}
