// Pinned memory is locked as long as it exists, where the system allows as much, and can be used as any other.
// OpenMP 5.1, 2.13.2
//@ stock-fails: gcc because it has no pinned memory
//@ stock-fails: clang because it pins memory for devices only
//@ needs: gcc 12
#include "check.h"
#include <string.h>
#include <sys/mman.h>

// Kilobytes that the process has locked.
static long locked(void) {
    char line[200];
    long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmLck: %ld", &kilobytes) == 1) break;
    if (file) fclose(file);
    return kilobytes;
}

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
    omp_alloctrait_t traits[] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_fallback, omp_atv_null_fb}, {omp_atk_alignment, 128}};
    omp_allocator_handle_t pinned = omp_init_allocator(omp_default_mem_space, 3, traits);
    CHECK(pinned != omp_null_allocator, "an allocator");
    long before = locked();
    char *p = omp_alloc(20000, pinned);
    CHECK(p && locked() - before >= 20, "%ld kB locked", locked() - before);
    memset(p, 3, 20000);
    p = omp_realloc(p, 40000, pinned, pinned);
    CHECK(p && p[0] == 3 && p[19999] == 3 && locked() - before >= 40, "%ld kB locked", locked() - before);
    omp_free(p, pinned);
    CHECK_EQ(locked(), before);
#pragma omp parallel
    for (int i = 1; i < 4; i++) {
        char *q = omp_calloc(i, 1000, pinned);
        CHECK(q && q[0] == 0 && q[i * 1000 - 1] == 0, "omp_calloc of %d", i);
        memset(q, i, i * 1000);
        omp_free(q, omp_null_allocator);
    }
    CHECK_EQ(locked(), before);
    omp_destroy_allocator(pinned);
    return verdict();
}
