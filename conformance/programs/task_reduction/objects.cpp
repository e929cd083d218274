// List items with constructors and destructors: as many copies are destroyed as are made. OpenMP 5.1, 2.21.5 (reduction clauses)
#include "check.h"

static int alive;

struct Number {
    long value;
    explicit Number(long start = 0) : value(start) {
#pragma omp atomic
        alive++;
    }
    Number(const Number &other) : value(other.value) {
#pragma omp atomic
        alive++;
    }
    ~Number() {
#pragma omp atomic
        alive--;
    }
};

#pragma omp declare reduction(+ : Number : omp_out.value += omp_in.value) initializer(omp_priv = Number(0))

int main() {
    {
        Number sum(5), wide(0);
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum, wide)
            for (int i = 1; i <= 40; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(+ : wide)
                {
                    sum.value += i;
                    wide.value += 1000L * i;
                }
            }
        }
        CHECK_EQ(sum.value, 5 + 820);
        CHECK_EQ(wide.value, 820000);
        CHECK_EQ(alive, 2);
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskloop reduction(+ : sum) grainsize(3)
            for (int i = 0; i < 30; i++) sum.value += 1;
        }
        CHECK_EQ(sum.value, 855);
    }
    CHECK_EQ(alive, 0);
    return verdict();
}
