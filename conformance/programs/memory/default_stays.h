// The default allocator is omp_default_mem_alloc, and has memory.
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
    void *p = omp_alloc(100, omp_null_allocator);
    CHECK(p, "memory");
    omp_free(p, omp_null_allocator);
    return verdict();
}
