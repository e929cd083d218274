// fork() from a worker inside a region and _exit in the child, as system() and popen() do; the team is not disturbed.
// OpenMP 5.1, 2.6
//@ threads: 1 2 8
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

int main(void) {
    int children = 0;
#pragma omp parallel reduction(+ : children)
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 6; i++) {
            pid_t child = fork();
            if (child == 0) _exit(40 + i);
            int status = -1;
            while (waitpid(child, &status, 0) < 0) {
            }
            children += WIFEXITED(status) && WEXITSTATUS(status) == 40 + i;
        }
    }
    CHECK_EQ(children, 6);
    CHECK_EQ(system("exit 3") >> 8, 3);
    return verdict();
}
