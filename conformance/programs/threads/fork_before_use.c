// fork() before the parent has used OpenMP at all: parent and child each start their own runtime and report their own size.
// OpenMP 5.1, 2.6
//@ checker: no because the child would write over the parent's report
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int work(void) {
    int sum = 0;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 100; i++) sum += i;
    }
    return sum;
}

int main(void) {
    pid_t children[3];
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] == 0) exit(work() == 5 * 4950 ? 0 : 1);
    }
    CHECK_EQ(work(), 5 * 4950);
    for (int i = 0; i < 3; i++) {
        int status = -1;
        waitpid(children[i], &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child %d: %x", i, status);
    }
    return verdict();
}
