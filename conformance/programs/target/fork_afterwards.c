// A process that has used its devices forks: both go on, and the child uses devices of its own.
//@ devices: 1 3
//@ stock-fails: clang because its helper threads are missing in the child
//@ stock-fails: offload because the threads of its devices are missing in the child
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

static int add(int x) {
    int r = 0;
#pragma omp target map(from : r)
    r = x + 1;
    return r;
}

int main(void) {
    CHECK_EQ(add(1), 2);
    int kept[4] = {1, 2, 3, 4};
#pragma omp target nowait map(tofrom : kept)
    kept[0] = 10;
#pragma omp taskwait
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int parts = 0;
#pragma omp target teams distribute parallel for reduction(+ : parts) map(tofrom : parts)
        for (int i = 0; i < 10; i++) parts += 1;
#pragma omp target nowait map(tofrom : kept)
        kept[1] = 20;
#pragma omp taskwait
        _exit(add(parts) == 11 && kept[1] == 20 ? 0 : 1);
    }
    CHECK_EQ(add(5), 6);
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %x", status);
    return verdict();
}
