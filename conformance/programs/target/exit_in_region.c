// A target region ends the program, from its initial thread and from a thread of a team: buffers are written, handlers run.
//@ checker: no because the program ends in the middle of a construct
//@ devices: 1 3
//@ stock-fails: offload because it crashes in the handler's region
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

static int written[2];

static void handler(void) {
    int x = 0;
    // A region after the devices have been closed.
#pragma omp target map(tofrom : x)
    x = 7;
    if (write(written[1], x == 7 ? "y" : "n", 1) != 1) _exit(9);
}

static void end(int from_team) {
    atexit(handler);
    if (from_team) {
#pragma omp target
        {
#pragma omp parallel num_threads(3)
            if (omp_get_thread_num() == omp_get_num_threads() - 1) exit(5);
        }
    } else {
#pragma omp target
        exit(5);
    }
}

int main(void) {
    for (int from_team = 0; from_team < 2; from_team++) {
        CHECK_EQ(pipe(written), 0);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            end(from_team);
            _exit(1);
        }
        int status = -1;
        char byte = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5, "the child ended with %x", status);
        close(written[1]);
        CHECK_EQ(read(written[0], &byte, 1), 1);
        CHECK_EQ(byte, 'y');
        close(written[0]);
    }
    return verdict();
}
