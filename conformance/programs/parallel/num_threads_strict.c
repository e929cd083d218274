// The strict modifier of num_threads: a region that gets as many threads as it asks for says nothing; one that gets fewer says so
// in the program's own words and runs. Its entry points called as a compiler of OpenMP 6.0 does. OpenMP 5.1, 2.6.1; 6.0, 12.1.2
//@ compilers: clang
//@ threads: 1 2
//@ env: OMP_THREAD_LIMIT=4
//@ expect-stderr: my words 4 threads instead of 9
#include "check.h"

void __kmpc_push_num_threads_strict(void *, int, int, int, const char *);
int __kmpc_global_thread_num(void *);

int main(void) {
    int self = __kmpc_global_thread_num(0), size = 0, fewer = 0, plain = 0;
    __kmpc_push_num_threads_strict(0, self, 3, 2, "this is never said");
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 3);
    __kmpc_push_num_threads_strict(0, self, 9, 1, "my words");
#pragma omp parallel reduction(+ : fewer)
    fewer++;
    CHECK_EQ(fewer, 4);
    // The clause is used up.
#pragma omp parallel num_threads(2) reduction(+ : plain)
    plain++;
    CHECK_EQ(plain, 2);
    return verdict();
}
