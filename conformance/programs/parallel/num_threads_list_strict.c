// num_threads with a list and the strict modifier: the modifier is about the first number, the list goes on inside. OpenMP 6.0, 12.1.2
//@ compilers: clang
//@ needs: clang 19
//@ threads: 1 2
//@ env: OMP_THREAD_LIMIT=12
//@ expect-stderr: warning num_threads(strict: 13), gets 12 threads: a dozen
#include "check.h"

void __kmpc_push_num_threads_list_strict(void *, int, unsigned, int *, int, const char *);
int __kmpc_global_thread_num(void *);

int main(void) {
    omp_set_max_active_levels(4);
    int self = __kmpc_global_thread_num(0), list[3] = {2, 3, 2}, many[2] = {13, 1}, outer = 0, inner = 0, fewer = 0;
    __kmpc_push_num_threads_list_strict(0, self, 3, list, 2, "never said");
#pragma omp parallel reduction(+ : outer, inner)
    {
        outer++;
#pragma omp parallel reduction(+ : inner)
        {
            inner++;
            CHECK_EQ(omp_get_max_threads(), 2);
        }
    }
    CHECK_EQ(outer, 2);
    CHECK_EQ(inner, 6);
    __kmpc_push_num_threads_list_strict(0, self, 2, many, 1, "a dozen");
#pragma omp parallel reduction(+ : fewer)
    {
        fewer++;
        CHECK_EQ(omp_get_max_threads(), 1);
    }
    CHECK_EQ(fewer, 12);
    return verdict();
}
