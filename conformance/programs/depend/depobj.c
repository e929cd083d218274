// Dependence objects: made, used by tasks beside other dependences, updated, destroyed; tasks with them follow each other as
// with the clauses that they stand for. OpenMP 5.1, 2.19.10 (depobj), 2.19.11 (depend clause)
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int a = 0, b = 0, order = 0;
#pragma omp parallel
#pragma omp single
        {
            omp_depend_t out_a, in_a, first, second;
#pragma omp depobj(out_a) depend(inout : a)
#pragma omp depobj(in_a) depend(in : a)
#pragma omp depobj(first) depend(in : a)
#pragma omp depobj(second) depend(out : b)
#pragma omp task depend(depobj : out_a) shared(a)
            {
                spin_work(2000);
                a = 1;
            }
            for (int i = 0; i < 4; i++) {
#pragma omp task depend(depobj : in_a) shared(a, order)
                {
                    CHECK_EQ(a, 1);
#pragma omp atomic
                    order++;
                }
            }
#pragma omp task depend(depobj : first) depend(depobj : second) shared(a, b)
            {
                CHECK_EQ(a, 1);
                spin_work(1000);
                b = 7;
            }
#pragma omp task depend(in : b) depend(depobj : out_a) shared(a, b, order)
            {
                CHECK_EQ(b, 7);
                CHECK_EQ(order, 4);
                a = 2;
            }
            // The object now stands for a dependence of another type.
#pragma omp depobj(in_a) update(inout)
#pragma omp task depend(depobj : in_a) shared(a)
            {
                CHECK_EQ(a, 2);
                spin_work(1000);
                a = 3;
            }
#pragma omp task depend(in : a) shared(a)
            CHECK_EQ(a, 3);
#pragma omp taskwait
#pragma omp depobj(out_a) destroy
#pragma omp depobj(in_a) destroy
#pragma omp depobj(first) destroy
#pragma omp depobj(second) destroy
        }
        CHECK_EQ(a, 3);
    }
    return verdict();
}
