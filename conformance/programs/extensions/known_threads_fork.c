// In a forked child the only thread that is known is the one that forked.
//@ compilers: clang
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

int kmp_get_num_known_threads(void);

int main(void) {
    int size = 0;
#pragma omp parallel num_threads(4) reduction(+ : size)
    size++;
    CHECK_EQ(size, 4);
    pid_t child = fork();
    if (child == 0) {
        int before = kmp_get_num_known_threads(), inside = 0;
#pragma omp parallel num_threads(3) reduction(max : inside)
        inside = kmp_get_num_known_threads();
        _exit(before == 1 && inside == 3 ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
    CHECK(kmp_get_num_known_threads() >= 4, "%d", kmp_get_num_known_threads());
    return verdict();
}
