// Uses OpenMP, forks, and uses it in parent and child.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int regions(int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(2) reduction(+ : count)
        count++;
    }
    return count;
}

int main(void) {
    int before = regions(10);
    pid_t idle = fork();
    if (idle == 0) _exit(0);
    pid_t leaving = fork();
    if (leaving == 0) exit(0);
    pid_t child = fork();
    if (child == 0) exit(regions(30) == 60 ? 0 : 1);
    int status = 1;
    waitpid(idle, &status, 0);
    waitpid(leaving, &status, 0);
    waitpid(child, &status, 0);
    int after = regions(10);
    printf("%d %d %d\n", before, after, status);
    return status != 0 || before != 20 || after != 20;
}
