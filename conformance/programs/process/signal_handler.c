// A signal handler may ask where its thread is at any time: while the runtime initialises itself, forks, lets teams grow and ends. The
// answers are those of the code that the signal interrupts, or, outside of all regions, those of an initial task.
// OpenMP 5.1, 3.2 (thread team routines)
//@ flags: -D_GNU_SOURCE
//@ timeout: 60
//@ needs: gcc 11
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile long handled, sink, wrong;
// What the code of a region that this thread executes would be answered; -1 where it executes none.
static __thread volatile int thread_here = -1, threads_here;

// The timer rings once, and the handler winds it up when it has asked: on a slow machine an interval may be shorter than the
// handler, and the code that the signals interrupt would get no time.
static struct itimerval timer;

static void ask(int number) {
    (void)number;
    int thread = omp_get_thread_num(), threads = omp_get_num_threads(), level = omp_get_level(), chunk;
    omp_sched_t kind;
    omp_get_schedule(&kind, &chunk);
    long sum = omp_get_max_threads() + omp_get_num_procs() + omp_in_parallel() + omp_get_active_level() + omp_get_dynamic() + chunk;
    sum += omp_get_ancestor_thread_num(level) + omp_get_team_size(0) + omp_get_max_active_levels() + omp_get_thread_limit() + kind;
    sum += omp_get_cancellation() + omp_get_proc_bind() + omp_get_num_places() + omp_get_place_num() + omp_get_partition_num_places();
    sum += omp_in_final() + omp_get_max_task_priority() + omp_get_team_num() + omp_get_num_teams() + omp_is_initial_device();
    sum += omp_get_supported_active_levels() + omp_get_wtime() + omp_get_wtick();
    if (thread_here >= 0 && (thread != thread_here || threads != threads_here)) wrong++;
    if (thread < 0 || threads < 1 || level < 0 || omp_get_team_size(0) != 1 || omp_get_ancestor_thread_num(0) != 0) wrong++;
    sink += sum;
    handled++;
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void start(int microseconds) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = ask;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    timer.it_value.tv_usec = microseconds;
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void enter(void) {
    threads_here = omp_get_num_threads();
    thread_here = omp_get_thread_num();
}

static void *region(void *result) {
    long sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        enter();
        sum += omp_get_thread_num();
        thread_here = -1;
    }
    *(long *)result = sum;
    return NULL;
}

// The runtime's whole life, from before its first use to the end, under a storm of signals.
static int one_life(int life) {
    start(60 + life * 17 % 90);
    for (int i = 0; i < 3; i++) {
        long sums[3] = {0}, sum = 0;
        pthread_t threads[3];
        for (int t = 0; t < 3; t++) pthread_create(&threads[t], NULL, region, &sums[t]);
        for (int width = 1; width <= 5; width++) {
#pragma omp parallel num_threads(width) reduction(+ : sum)
            {
                enter();
                sum++;
#pragma omp for schedule(dynamic) nowait
                for (int k = 0; k < 20; k++) sum++;
#pragma omp single
                for (int k = 0; k < 5; k++) {
#pragma omp task shared(sink)
                    spin_work(10);
                }
                thread_here = -1;
            }
        }
        for (int t = 0; t < 3; t++) pthread_join(threads[t], NULL);
        CHECK_EQ(sum, 15 + 5 * 20);
        for (int t = 0; t < 3; t++) CHECK_EQ(sums[t], 3);
    }
    CHECK(wrong == 0, "%ld wrong answers of %ld", wrong, handled);
    return corpus_failures != 0;
}

int main(void) {
    // Before anything else of OpenMP has been used in this process, in each child anew.
    for (int life = 0; life < 15; life++) {
        pid_t child = fork();
        if (child == 0) exit(one_life(life));
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "life %d: status %#x", life, status);
    }
    return verdict();
}
