// main ends by pthread_exit behind device constructs, asynchronous ones included: the threads that serve devices do not keep the process
// alive, and a thread that comes later uses the device again. OpenMP 5.1, 2.14.5 (target construct)
//@ devices: 1 3
//@ checker: no because the process ends with its last thread, which is no call of exit by main
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static int later = 1;

static void devices_work(void) {
    int a[100], x = 0;
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait depend(inout : a) map(tofrom : a)
        for (int i = 0; i < 100; i++) a[i]++;
#pragma omp target nowait depend(in : a) depend(out : x) map(to : a) map(tofrom : x)
        x = a[99];
#pragma omp taskwait
    }
    CHECK_EQ(x, 100);
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < 100; i++) a[i]++;
    CHECK_EQ(a[7], 9);
}

static void *comes_later(void *main_thread) {
    pthread_join(*(pthread_t *)main_thread, NULL);
    devices_work();
    later--;
    return NULL;
}

static void at_exit(void) {
    CHECK_EQ(later, 0);
    verdict();
}

int main(void) {
    static pthread_t self;
    pthread_t thread;
    self = pthread_self();
    atexit(at_exit);
    alarm(30);
    devices_work();
    CHECK_EQ(pthread_create(&thread, NULL, comes_later, &self), 0);
    pthread_exit(NULL);
}
