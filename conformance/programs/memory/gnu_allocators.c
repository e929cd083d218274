// The allocators that later versions of gcc add to OpenMP's: pinned memory, and memory that devices share, which is the host's here.
//@ compilers: gcc
//@ stock-fails: gcc because libgomp 12 does not know them
//@ needs: gcc 11
#include "check.h"
#include <string.h>
#include <sys/mman.h>

// Whether the system lets the process lock as much as the program needs; what happens if not, pinned_refused checks.
static int may_lock(void) {
    enum { BYTES = 2 << 20 };
    void *memory = malloc(BYTES);
    int may = mlock(memory, BYTES) == 0;
    if (may) munlock(memory, BYTES);
    free(memory);
    return may;
}

int main(void) {
    if (!may_lock()) return verdict();
    omp_allocator_handle_t pinned = (omp_allocator_handle_t)200, managed = (omp_allocator_handle_t)201;
#pragma omp parallel
    for (int i = 0; i < 3; i++) {
        char *p = omp_alloc(5000, pinned), *q = omp_alloc(5000, managed);
        CHECK(p && q, "%p %p", p, q);
        memset(p, 1, 5000);
        memcpy(q, p, 5000);
        CHECK(q[4999] == 1, "contents");
        omp_free(p, pinned);
        omp_free(q, managed);
    }
    return verdict();
}
