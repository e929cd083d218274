// Opens a library that uses OpenMP, calls it, unloads it, and ends without a word to the runtime.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int count = 0;
#pragma omp parallel num_threads(2) reduction(+ : count)
    count++;
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    if (!library) _exit(2);
    int (*plugin)(void) = (int (*)(void))dlsym(library, "plugin");
    if (count != 2 || plugin() != 2) _exit(3);
    dlclose(library);
    _exit(0);
}
