// The program ends while a deferred target region is under way: it is completed, and nothing crashes.
//@ devices: 1 3
//@ compilers: offload
//@ stock-fails: offload because it crashes at the end of such a program
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

int main(void) {
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static int x[4];
        int end = ends[1];
#pragma omp target nowait map(tofrom : x) firstprivate(end)
        {
            usleep(30000);
            x[0] = write(end, "k", 1);
        }
        exit(4);
    }
    int status = -1;
    char byte = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 4, "the child ended with %x", status);
    close(ends[1]);
    CHECK_EQ(read(ends[0], &byte, 1), 1);
    CHECK_EQ(byte, 'k');
    return verdict();
}
