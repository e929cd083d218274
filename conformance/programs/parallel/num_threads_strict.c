// The strict modifier of num_threads: a region that gets as many threads as it asks for says nothing; one that gets fewer says so
// in the program's own words and runs. Its entry points called as a compiler of OpenMP 6.0 does. OpenMP 5.1, 2.6.1; 6.0, 12.1.2
//@ compilers: clang
//@ needs: clang 19
//@ threads: 1 2
//@ env: OMP_THREAD_LIMIT=4
//@ expect-stderr: warning num_threads(strict: 9), gets 4 threads: my words
//@ expect-stderr: warning num_threads(strict: 5) at place.c:17, gets 4 threads
#include "check.h"

typedef struct {
    int words[4];
    const char *source;
} location;

void __kmpc_push_num_threads_strict(const location *, int, int, int, const char *);
int __kmpc_global_thread_num(void *);

int main(void) {
    const location place = {{0, 2, 0, 0}, ";place.c;main;17;3;;"};
    int self = __kmpc_global_thread_num(0), size = 0, fewer = 0, wordless = 0, plain = 0;
    __kmpc_push_num_threads_strict(0, self, 3, 2, "this is never said");
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 3);
    __kmpc_push_num_threads_strict(0, self, 9, 1, "my words");
#pragma omp parallel reduction(+ : fewer)
    fewer++;
    CHECK_EQ(fewer, 4);
    __kmpc_push_num_threads_strict(&place, self, 5, 1, 0);
#pragma omp parallel reduction(+ : wordless)
    wordless++;
    CHECK_EQ(wordless, 4);
    // The clause is used up.
#pragma omp parallel num_threads(2) reduction(+ : plain)
    plain++;
    CHECK_EQ(plain, 2);
    return verdict();
}
