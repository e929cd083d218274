// Uses OpenMP, closes every descriptor that is not its own, and goes on using it. Then, at a byte on standard input: with an
// argument it executes that program; without one it forks a child that uses OpenMP, and ends before the child does.
#include <stdio.h>
#include <unistd.h>

static int regions(int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(2) reduction(+ : count)
        count++;
    }
    return count;
}

int main(int argc, char **argv) {
    char byte;
    if (regions(10) != 20) return 1;
    for (int descriptor = 3; descriptor < 1024; descriptor++) close(descriptor);
    if (regions(10) != 20) return 1;
    puts("closed"), fflush(stdout);
    if (read(0, &byte, 1) != 1) return 1;
    if (argc > 1) return execvp(argv[1], argv + 1), 1;
    pid_t idle = fork();
    if (idle != 0) {
        // The first child never uses OpenMP; the second one does.
        if (fork() != 0) _exit(0);
        regions(10);
        puts("child"), fflush(stdout);
    }
    while (read(0, &byte, 1) > 0) {}
    _exit(0);
}
