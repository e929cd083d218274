// Works for half a second with a small stack for handlers, as programs in Rust have on their main thread. Below it is a
// page that nobody may touch.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

__attribute__((noinline)) static double work(double until) {
    double value = 1;
    while (seconds() < until) {
        for (int i = 0; i < 1000; i++) value = value * 0.5 + i;
    }
    return value;
}

int main(void) {
    enum { PAGE = 4096, SIZE = 8192 };
    char *memory = mmap(NULL, PAGE + SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE) != 0) return 1;
    stack_t stack = {.ss_sp = memory + PAGE, .ss_size = SIZE};
    if (sigaltstack(&stack, NULL) != 0) return 2;
    double value = 0;
#pragma omp parallel num_threads(1)
    value += work(seconds() + 0.5);
    printf("%f\n", value);
    return 0;
}
