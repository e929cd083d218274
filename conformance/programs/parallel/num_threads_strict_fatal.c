// The strict modifier of num_threads with severity(fatal), or without a severity: a region that cannot have its threads ends the program,
// as an error directive does: buffers are written, and tools hear of the end. OpenMP 6.0, 12.1.2
//@ compilers: clang
//@ needs: clang 19
//@ threads: 1 2
//@ stock-fails: clang because its libomp aborts
//@ env: OMP_THREAD_LIMIT=2
//@ expect-stderr: num_threads(strict: 8), gets 2 threads: eight are needed; program ends
//@ exit: 1
#include "check.h"

void __kmpc_push_num_threads_strict(void *, int, int, int, const char *);
int __kmpc_global_thread_num(void *);

int main(void) {
    printf("ok\n"); // written at the end
    int size = 0;
    __kmpc_push_num_threads_strict(0, __kmpc_global_thread_num(0), 8, 2, "eight are needed");
#pragma omp parallel reduction(+ : size)
    size++;
    return 3;
}
