// A library that ACC_PROFLIB names registers its callbacks before the first event, which is the activation of the device.
// OpenACC 2.6, 5.4.2
//@ compilers: gcc
//@ needs: gcc 10
//@ flags: -fopenacc
//@ libs: dl
//@ shared: proflib.c
//@ threads: 1
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (!getenv("ACC_PROFLIB")) {
        setenv("ACC_PROFLIB", getenv("CORPUS_SHARED"), 1);
        execv("/proc/self/exe", argv);
    }
    int x = 0;
#pragma acc parallel copy(x)
    x++;
#pragma acc parallel copy(x)
    x++;
    void *library = dlopen(getenv("CORPUS_SHARED"), RTLD_NOW | RTLD_NOLOAD);
    CHECK(library != NULL, "the library is not there");
    if (library) {
        int *activations = dlsym(library, "proflib_activations"), *constructs = dlsym(library, "proflib_constructs");
        CHECK_EQ(*activations, 1);
        CHECK_EQ(*constructs, 2);
    }
    CHECK_EQ(x, 2);
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    return verdict();
}
