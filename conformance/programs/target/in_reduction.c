// in_reduction on target: the regions take part in the reduction of a taskgroup. OpenMP 5.1, 2.21.5.6
//@ devices: 1 3
//@ needs: clang 16, gcc 13
#include "device.h"

int main(void) {
    int sum = 10;
    long product = 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
    {
        for (int i = 1; i <= 5; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) firstprivate(i)
            {
                sum += i;
                product *= i;
            }
#pragma omp target in_reduction(+ : sum)
            sum += 1;
        }
    }
    CHECK_EQ(sum, 30);
    CHECK_EQ(product, 120);
    return verdict();
}
