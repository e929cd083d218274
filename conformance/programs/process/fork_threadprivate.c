// fork() while other threads make and destroy copies of threadprivate variables that the runtime keeps: the child finds its own
// copies with their values, and new threads of the child get fresh ones. OpenMP 5.1, 2.21.2
//@ compilers: clang
//@ flags: -fnoopenmp-use-tls
//@ checker: no because the child would write over the parent's report
//@ threads: 1 2 8
//@ stock-fails: clang because libomp gives a new thread the copies of one that has ended
//@ timeout: 90
#include <pthread.h>

#include "children.h"

static int first = 5, second = 6;
static char big[300] = "big";
#pragma omp threadprivate(first, second, big)

static volatile int over;

static void *short_lived(void *argument) {
    (void)argument;
    CHECK_EQ(first + second, 11);
    first = 7;
    big[0] = 'c';
    return NULL;
}

static void *makes(void *argument) {
    (void)argument;
    while (!over) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, short_lived, NULL), 0);
        pthread_join(thread, NULL);
    }
    return NULL;
}

int main(void) {
    pthread_t maker;
    first = 50;
    CHECK_EQ(pthread_create(&maker, NULL, makes, NULL), 0);
    for (int i = 0; i < 12; i++) {
        pid_t child = fork();
        if (child == 0) {
            child_begins();
            int sum = 0, want = omp_get_max_threads();
            CHECK_EQ(first, 50);
#pragma omp parallel reduction(+ : sum)
            {
                sum += first + second;
                CHECK_EQ(big[0], 'b');
            }
            CHECK_EQ(sum, 56 + 11 * (want - 1));
            _exit(corpus_failures ? 1 : 20);
        }
        child_ends(child, 20);
    }
    over = 1;
    pthread_join(maker, NULL);
    return verdict();
}
