// A library that uses OpenMP is loaded, used and unloaded over and over, with and without regions of the program between.
// OpenMP 5.1, 2.6
//@ shared: library.c
//@ libs: dl
//@ threads: 1 2 8
#include <dlfcn.h>

#include "check.h"

int main(void) {
    int want = omp_get_max_threads();
    for (int round = 0; round < 8; round++) {
        void *library = dlopen(getenv("CORPUS_SHARED"), RTLD_NOW | RTLD_LOCAL);
        CHECK(library != NULL, "%s", dlerror());
        if (!library) break;
        int (*sum)(int, int *);
        *(void **)&sum = dlsym(library, "library_sum");
        CHECK(sum != NULL, "%s", dlerror());
        int threads = 0;
        CHECK_EQ(sum(50, &threads), 1225);
        CHECK_EQ(threads, want);
        CHECK_EQ(dlclose(library), 0);
        if (round % 2) {
            int n = 0;
#pragma omp parallel reduction(+ : n)
            n++;
            CHECK_EQ(n, want);
        }
    }
    return verdict();
}
