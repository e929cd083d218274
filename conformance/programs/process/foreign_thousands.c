// Thousands of short-lived threads of the program's own, up to eight at a time, each of which opens regions, creates tasks and
// ends: neither memory nor threads nor descriptors grow with their number. OpenMP 5.1, 1.2.1 (initial threads), 2.6
//@ threads: 1 2 3
//@ stock-fails: clang because libomp crashes when so many threads come and go
//@ timeout: 90
#include <dirent.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

enum { TOGETHER = 8, WARM_UP = 60, ROUNDS = 240 };

static long total;

static void *run(void *argument) {
    (void)argument;
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
        n++;
#pragma omp single
        for (int i = 0; i < 4; i++) {
#pragma omp task
            {
#pragma omp atomic
                total++;
            }
        }
    }
    CHECK_EQ(n, omp_get_max_threads());
#pragma omp parallel
    {
#pragma omp barrier
    }
    return NULL;
}

static void round_of_threads(void) {
    pthread_t threads[TOGETHER];
    for (int i = 0; i < TOGETHER; i++) CHECK_EQ(pthread_create(&threads[i], NULL, run, NULL), 0);
    for (int i = 0; i < TOGETHER; i++) pthread_join(threads[i], NULL);
}

// A number from /proc/self/status.
static long status(const char *field) {
    char line[256];
    long value = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, field, strlen(field)) == 0) value = strtol(line + strlen(field) + 1, NULL, 10);
    if (file) fclose(file);
    return value;
}

static int descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

int main(void) {
    for (int i = 0; i < WARM_UP; i++) round_of_threads();
    long memory = status("VmRSS"), threads = status("Threads");
    int open = descriptors();
    for (int i = 0; i < ROUNDS; i++) round_of_threads();
    // The pool holds as many workers as were ever busy at once, so a few may join them late.
    CHECK(status("Threads") <= 1 + TOGETHER * omp_get_max_threads(), "%ld threads, %ld before", status("Threads"), threads);
    CHECK_EQ(descriptors(), open);
    CHECK(status("VmRSS") - memory < 3000, "%ld kB more", status("VmRSS") - memory);
    CHECK_EQ(total, 4L * TOGETHER * (WARM_UP + ROUNDS));
    return verdict();
}
