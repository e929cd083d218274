// A program without OpenMP, whose threads are there already, loads the runtime itself (argument 1) and calls it by name, then lets go
// of it while its workers are there; then it loads it again.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int (*max_threads)(void);
static void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
static pthread_barrier_t loaded;
static int failures;

static void count(void *argument) { __atomic_fetch_add((int *)argument, 1, __ATOMIC_RELAXED); }

static int region(unsigned threads) {
    int n = 0;
    parallel(count, &n, threads, 0);
    return n;
}

static void *early(void *argument) {
    (void)argument;
    pthread_barrier_wait(&loaded);
    for (int i = 0; i < 20; i++)
        if (region(3) != 3) __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    pthread_t threads[3];
    pthread_barrier_init(&loaded, NULL, 4);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, early, NULL);
    for (int round = 0; round < 3; round++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            printf("%s\n", dlerror());
            return 1;
        }
        *(void **)&max_threads = dlsym(library, "omp_get_max_threads");
        *(void **)&parallel = dlvsym(library, "GOMP_parallel", "GOMP_4.0");
        if (!max_threads || !parallel || max_threads() < 1) return 1;
        if (round == 0) {
            pthread_barrier_wait(&loaded);
            for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
        }
        failures += region(5) != 5;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(30);
            _exit(region(4) == 4 ? 7 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        failures += !(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        dlclose(library);
    }
    if (failures == 0) printf("ok\n");
    return failures != 0;
}
