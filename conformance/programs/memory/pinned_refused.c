// Where the system does not allow that memory is locked, one line says so and the fallback has its turn. OpenMP 5.1, 2.13.2
//@ stock-fails: gcc because it has no pinned memory
//@ stock-fails: clang because it pins memory for devices only
//@ expect-stderr: memory cannot be pinned
//@ needs: gcc 11
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
    // The runtime comes up as who started the program: a tool's library may be nobody else's to read.
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    CHECK(threads > 0, "%d threads", threads);
    struct rlimit none = {0, 0};
    CHECK(setrlimit(RLIMIT_MEMLOCK, &none) == 0, "setrlimit");
    // The limit does not bind a privileged process.
    uid_t user = geteuid();
    if (user == 0) CHECK(seteuid(65534) == 0, "seteuid");
    omp_alloctrait_t null[] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_alloctrait_t heap[] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_pool_size, 100000}};
    omp_allocator_handle_t strict = omp_init_allocator(omp_default_mem_space, 2, null);
    omp_allocator_handle_t mild = omp_init_allocator(omp_default_mem_space, 2, heap);
    CHECK(strict != omp_null_allocator && mild != omp_null_allocator, "allocators");
    for (int i = 0; i < 5; i++) {
        CHECK(!omp_alloc(100, strict), "null_fb");
        char *p = omp_alloc(60000, mild);
        CHECK(p, "default_mem_fb");
        p[59999] = 1;
        omp_free(p, mild);
    }
    CHECK(seteuid(user) == 0, "seteuid back");
    return verdict();
}
