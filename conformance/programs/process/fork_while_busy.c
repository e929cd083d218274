// fork() by the main thread, outside its regions, while other threads of the program are anywhere inside the runtime: forking
// and joining, in barriers, locks, tasks, loops. The child has its regions at once. OpenMP 5.1, 2.6
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ threads: 1 2 3 8
//@ timeout: 90
#include <pthread.h>

#include "children.h"

static volatile int over;
static omp_lock_t lock;

static void *busy(void *argument) {
    (void)argument;
    while (!over) {
        int n = 0;
#pragma omp parallel reduction(+ : n)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 20; i++) n++;
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
#pragma omp single
            for (int i = 0; i < 10; i++) {
#pragma omp task
                spin_work(5);
            }
        }
        CHECK_EQ(n, 20);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    omp_init_lock(&lock);
    for (int i = 0; i < 3; i++) CHECK_EQ(pthread_create(&threads[i], NULL, busy, NULL), 0);
    for (int i = 0; i < 12; i++) {
        if (i % 3 == 1) CHECK(child_work(), "in the parent");
        spin_work(777 * i);
        pid_t child = fork();
        if (child == 0) {
            child_begins();
            // By exit, so that handlers run too, or without them.
            int code = child_work() ? 11 : 1;
            if (i % 2) exit(code);
            _exit(code);
        }
        child_ends(child, 11);
    }
    over = 1;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    CHECK(child_work(), "in the parent");
    return verdict();
}
