// LLVM's kmp_malloc family: contents, alignment, and blocks that other threads free.
//@ compilers: clang
#include "check.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>

static void *shared[64];

int main(void) {
#pragma omp parallel
    {
        int me = omp_get_thread_num() % 64;
        for (size_t n = 1; n < 100000; n *= 7) {
            char *p = kmp_malloc(n), *q = kmp_calloc(n, 3);
            CHECK(p && q && q[0] == 0 && q[3 * n - 1] == 0, "blocks of %zu", n);
            memset(p, me, n);
            p = kmp_realloc(p, 2 * n);
            CHECK(p && p[0] == me && p[n - 1] == me, "kmp_realloc to %zu", 2 * n);
            kmp_free(p);
            kmp_free(q);
        }
        for (size_t a = 8; a <= 4096; a *= 2) {
            char *p = kmp_aligned_malloc(3 * a, a);
            CHECK(p && (uintptr_t)p % a == 0, "kmp_aligned_malloc(%zu): %p", a, p);
            p[3 * a - 1] = 1;
            kmp_free(p);
        }
        shared[me] = kmp_malloc(50);
#pragma omp barrier
        kmp_free(shared[(me + 1) % omp_get_num_threads()]);
        CHECK(!kmp_aligned_malloc(100, 24), "an alignment that is none");
        kmp_free(NULL);
        char *p = kmp_realloc(NULL, 10);
        CHECK(p, "kmp_realloc of NULL");
        kmp_free(p);
    }
    return verdict();
}
