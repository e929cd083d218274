// num_threads with a list: the first number for the region itself, the next for the regions inside, level by level; the last
// stays, and other regions keep to the ICVs. OpenMP 6.0, 12.1.2
//@ compilers: clang
//@ needs: clang 19
//@ threads: 1 3
#include "check.h"

void __kmpc_push_num_threads_list(void *, int, unsigned, int *);
int __kmpc_global_thread_num(void *);

int main(void) {
    omp_set_max_active_levels(4);
    int threads = omp_get_max_threads(), list[3] = {2, 3, 2};
    for (int round = 0; round < 5; round++) {
        int first = 0, second = 0, third = 0, fourth = 0, plain = 0;
        __kmpc_push_num_threads_list(0, __kmpc_global_thread_num(0), 3, list);
#pragma omp parallel reduction(+ : first, second, third, fourth)
        {
            first++;
            CHECK_EQ(omp_get_num_threads(), 2);
            CHECK_EQ(omp_get_max_threads(), 3);
#pragma omp parallel reduction(+ : second, third, fourth)
            {
                second++;
                CHECK_EQ(omp_get_num_threads(), 3);
#pragma omp parallel reduction(+ : third, fourth)
                {
                    third++;
                    CHECK_EQ(omp_get_num_threads(), 2);
                    fourth += omp_get_max_threads();
                }
            }
        }
        CHECK_EQ(first, 2);
        CHECK_EQ(second, 6);
        CHECK_EQ(third, 12);
        CHECK_EQ(fourth, 24);
        CHECK_EQ(omp_get_max_threads(), threads);
#pragma omp parallel reduction(+ : plain)
        plain++;
        CHECK_EQ(plain, threads);
    }
    return verdict();
}
