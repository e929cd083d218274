// On the host, where no kernel has given a contention group memory of its own, the routines about that memory say that there is none.
// OpenMP 6.1 as clang 23 has it
//@ libs: dl
//@ stock-fails: gcc because it lacks the routines
//@ stock-fails: clang because it lacks the routines
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <stdint.h>

int main(void) {
    void *(*pointer)(size_t, int) = (void *(*)(size_t, int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_ptr");
    void *(*no_fallback)(size_t, int) = (void *(*)(size_t, int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_nofb_ptr");
    size_t (*size)(int) = (size_t (*)(int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_size");
    uintptr_t (*space)(int) = (uintptr_t (*)(int))dlsym(RTLD_DEFAULT, "omp_get_dyn_gprivate_memspace");
    CHECK(pointer && no_fallback && size && space, "the routines are there");
#pragma omp parallel
    for (int group = 0; group < 2; group++) {
        CHECK(pointer(0, group) == NULL && pointer(100, group) == NULL, "a pointer");
        CHECK(no_fallback(0, group) == NULL, "a pointer without fallback");
        CHECK(size(group) == 0 && space(group) == 0, "size and space");
    }
    return verdict();
}
