// OpenMP in places where a thread or the process is about to end: destructors of thread-local objects on roots and on foreign
// threads, of pthread keys, of static objects, and handlers of atexit. OpenMP 5.1, 1.2.1
//@ threads: 1 2 8
//@ checker: no because regions follow the end of the initial task
#include <pthread.h>
#include <thread>

#include "check.h"

static int region() {
    int n = 0;
#pragma omp parallel reduction(+ : n)
    n++;
    return n == omp_get_max_threads();
}

static int right, total;

static void note() {
    __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
    if (region()) __atomic_fetch_add(&right, 1, __ATOMIC_RELAXED);
}

struct Local {
    int used = 0;
    ~Local() { note(); }
};
static thread_local Local local;

struct Global {
    ~Global() {
        note();
        // Of the roots: 4 thread-local objects and 4 keys; then main's object, the handler, this one.
        CHECK_EQ(total, 11);
        CHECK_EQ(right, total);
        if (verdict()) _Exit(1);
    }
};
static Global global;
static pthread_key_t key;

static void end_of_key(void *) { note(); }

int main() {
    pthread_key_create(&key, end_of_key);
    for (int i = 0; i < 4; i++) {
        std::thread([i] {
            local.used = 1;
            pthread_setspecific(key, &key);
            if (i % 2) CHECK(region(), "in a thread");
        }).join();
    }
    local.used = 1;
    atexit(note);
    return 0;
}
