// One thread uses the device without end; the first thread ends the program meanwhile: `dev_ends ROUNDS`, with status 3 after so
// many rounds.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int rounds;

static void *use_device(void *unused) {
    for (;;) {
        int a = 1;
#pragma omp target map(tofrom : a)
        a += 1;
        if (a != 2) abort();
        atomic_fetch_add(&rounds, 1);
    }
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc < 2 || pthread_create(&thread, NULL, use_device, NULL) != 0) return 2;
    while (atomic_load(&rounds) < atoi(argv[1])) usleep(100);
    exit(3);
}
