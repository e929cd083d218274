// A region that strictly asks for threads and gets one, because its if clause is false or because no further level may be active: the
// algorithm then gives another number than was asked for, which is an error. One thread that is asked for is none. OpenMP 6.0, 12.1.2
//@ compilers: clang
//@ needs: clang 19
//@ threads: 1 2
//@ env: OMP_MAX_ACTIVE_LEVELS=1
//@ expect-stderr: warning num_threads(strict: 4), gets 1 thread: the condition
//@ expect-stderr: warning num_threads(strict: 3), gets 1 thread: the level
#include "check.h"

void __kmpc_push_num_threads_strict(void *, int, int, int, const char *);
void __kmpc_serialized_parallel(void *, int);
void __kmpc_end_serialized_parallel(void *, int);
int __kmpc_global_thread_num(void *);

int main(void) {
    int self = __kmpc_global_thread_num(0);
    __kmpc_push_num_threads_strict(0, self, 4, 1, "the condition");
    __kmpc_serialized_parallel(0, self);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_level(), 1);
    __kmpc_end_serialized_parallel(0, self);
    __kmpc_push_num_threads_strict(0, self, 1, 2, "one thread is what is asked for");
    __kmpc_serialized_parallel(0, self);
    CHECK_EQ(omp_get_level(), 1);
    __kmpc_end_serialized_parallel(0, self);
#pragma omp parallel num_threads(2)
    {
#pragma omp masked filter(1)
        {
            int size = 0;
            __kmpc_push_num_threads_strict(0, __kmpc_global_thread_num(0), 3, 1, "the level");
#pragma omp parallel reduction(+ : size)
            size++;
            CHECK_EQ(size, 1);
        }
    }
    return verdict();
}
