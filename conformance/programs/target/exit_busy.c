// The program ends while other threads are in target regions: their code is not taken from under them.
//@ checker: no because the program ends in the middle of a construct
//@ devices: 1 3
//@ stock-fails: offload because it unloads code that is running
//@ libs: pthread
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

static volatile int rounds;

static void *work(void *unused) {
    for (;;) {
        int s = 0;
#pragma omp target map(tofrom : s)
        {
#pragma omp parallel num_threads(2)
            usleep(300);
            s++;
        }
        rounds += s;
    }
    return unused;
}

int main(void) {
    for (int time = 0; time < 5; time++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t threads[3];
            for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
            while (rounds < 3) usleep(100);
            exit(6);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 6, "the child ended with %x", status);
    }
    return verdict();
}
