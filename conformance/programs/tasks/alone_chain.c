// Tasks of a team of one thread that generate one another in a long chain need no more stack than a short one; a recursion of tasks
// that wait goes as deep as the program's own. So do they on another thread's stack. OpenMP 5.1, 2.12.1
//@ threads: 1 2
//@ env: OMP_STACKSIZE=1M
//@ stock-fails: clang because with one thread its stack overflows
#include "check.h"

static int length;

static void link(int left) {
    char room[256];
    __asm__ volatile("" ::"r"(room) : "memory");
    length++;
    if (left > 0) {
#pragma omp task firstprivate(left)
        link(left - 1);
    }
    __asm__ volatile("" ::"r"(room) : "memory");
}

static long deep(int left) {
    long below = 0;
    if (left == 0) return 1;
#pragma omp task shared(below) firstprivate(left)
    below = deep(left - 1);
#pragma omp taskwait
    return below + 1;
}

// Each waits for its own task alone, and dependences hold beyond any depth.
static void dependent(int left, int *sum) {
    if (left == 0) return;
    int own = 0;
#pragma omp task depend(out : own) shared(own)
    own = 1;
#pragma omp task depend(inout : own) shared(own)
    own *= 10;
#pragma omp task depend(in : own) shared(own) firstprivate(left, sum)
    {
        if (own == 10) ++*sum;
        dependent(left - 1, sum);
    }
#pragma omp taskwait
}

int main(void) {
    for (int threads = 1; threads <= omp_get_max_threads(); threads++) {
        length = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
        link(200000);
        CHECK_EQ(length, 200001);
    }
#pragma omp parallel num_threads(1)
    {
        CHECK_EQ(deep(600), 601);
        int sum = 0;
        dependent(400, &sum);
        CHECK_EQ(sum, 400);
    }
    // On each thread's stack, in a team of one.
#pragma omp parallel
    for (int number = 0; number < omp_get_num_threads(); number++) {
        if (number == omp_get_thread_num()) {
            length = 0;
#pragma omp parallel num_threads(1)
            link(50000);
            CHECK_EQ(length, 50001);
        }
#pragma omp barrier
    }
    return verdict();
}
