// The program itself has no OpenMP: the runtime arrives with a library and leaves with dlclose, as plug-ins do.
// OpenMP 5.1, 2.6
//@ stock-fails: gcc because libgomp leaves the process while its threads still run its code
//@ shared: library.c
//@ flags: -fno-openmp
//@ libs: dl
//@ threads: 1 2 8
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int want = atoi(getenv("OMP_NUM_THREADS")), failures = 0;
    for (int round = 0; round < 5; round++) {
        void *library = dlopen(getenv("CORPUS_SHARED"), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            printf("%s\n", dlerror());
            return 1;
        }
        int (*sum)(int, int *), threads = 0;
        *(void **)&sum = dlsym(library, "library_sum");
        if (sum(60, &threads) != 1770 || threads != want) failures++;
        dlclose(library);
    }
    if (failures) printf("failed: %d rounds\n", failures);
    else printf("ok\n");
    return failures != 0;
}
