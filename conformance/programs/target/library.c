// A library with target regions of its own, loaded late, used beside the program's, and unloaded. OpenMP 5.1, 1.3
//@ devices: 1 3
//@ stock-fails: offload because it does not load a library's device code a second time
//@ shared: library_part.c
//@ libs: dl
#include <dlfcn.h>

#include "device.h"

int main(void) {
    int before = 0, after = 0;
#pragma omp target map(from : before)
    before = 1;
    CHECK_EQ(before, 1);
    for (int round = 1; round <= 3; round++) {
        void *library = dlopen(getenv("CORPUS_SHARED"), RTLD_NOW);
        CHECK(library != NULL, "%s", dlerror());
        int (*part)(int) = (int (*)(int))dlsym(library, "part");
        int (*counted)(void) = (int (*)(void))dlsym(library, "counted");
        CHECK_EQ(part(20), 390);
        CHECK_EQ(part(3), 33);
        CHECK_EQ(counted(), 2);
        CHECK_EQ(dlclose(library), 0);
#pragma omp target map(from : after)
        after = before + 1;
        CHECK_EQ(after, 2);
    }
    return verdict();
}
