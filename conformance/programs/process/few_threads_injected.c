// pthread_create fails from the fourth call on, then works again: regions run with the threads that could be had meanwhile, one
// line says so, and later regions are whole. OpenMP 5.1, 2.6.1
//@ flags: -rdynamic
//@ libs: dl
//@ threads: 8 33
//@ stock-fails: gcc because libgomp ends the program
//@ stock-fails: clang because libomp ends the program
//@ expect-stderr: ferromp: cannot create a thread fewer
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include "check.h"

static int allowed = 3;

// In place of the C library's.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (__atomic_fetch_sub(&allowed, 1, __ATOMIC_RELAXED) <= 0) return EAGAIN;
    return real(thread, attributes, start, argument);
}

static int count(void) {
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
        n++;
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task
            spin_work(10);
        }
    }
    return n;
}

int main(void) {
    for (int round = 0; round < 4; round++) CHECK_EQ(count(), 4);
    allowed = 1000;
    for (int round = 0; round < 4; round++) CHECK_EQ(count(), omp_get_max_threads());
    return verdict();
}
