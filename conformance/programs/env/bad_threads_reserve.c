// A reservation of more threads than there may be is one line, and the default stands.
//@ env: OMP_THREADS_RESERVE=structured(5),free_agent(4)
//@ env: OMP_THREAD_LIMIT=8
//@ expect-stderr: OMP_THREADS_RESERVE structured(5),free_agent(4) 8
//@ stock-fails: clang because libomp does not know the variable
//@ stock-fails: gcc because libgomp does not know the variable
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_thread_limit(), 8);
    return verdict();
}
