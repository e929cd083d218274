// A program without OpenMP: threads that come by a function, then wait to be let go.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>

enum { THREADS = 6, ROUNDS = 20 };

struct {
    unsigned long pthread[THREADS];
    int lwp[THREADS];
} said;
const char *const word = "a word";
volatile int ready, let_go;

__attribute__((noinline)) void passes(int number) { __asm__ volatile("" ::"r"(number) : "memory"); }

static void *body(void *argument) {
    long number = (long)argument;
    said.pthread[number] = pthread_self();
    said.lwp[number] = (int)syscall(SYS_gettid);
    for (int round = 0; round < ROUNDS; round++) passes(round);
    __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
    while (!let_go) usleep(1000);
    return NULL;
}

int main(int count, char **arguments) {
    if (count > 1 && !strcmp(arguments[1], "abort")) abort();
    pthread_t threads[THREADS];
    for (long number = 0; number < THREADS; number++) pthread_create(&threads[number], NULL, body, (void *)number);
    if (count > 1 && !strcmp(arguments[1], "abort-later")) {
        while (ready < THREADS) usleep(1000);
        abort();
    }
    for (int number = 0; number < THREADS; number++) pthread_join(threads[number], NULL);
    return 7;
}
