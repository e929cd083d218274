// One of two libraries, built from this source by clang and by gcc, whose OpenMP constructs must meet in one runtime.
#include <omp.h>
#include <pthread.h>

void side_set_threads(int threads) { omp_set_num_threads(threads); }

int side_max_threads(void) { return omp_get_max_threads(); }

// Runs a region of `threads` threads and notes which thread had each number. Returns the team's size.
int side_team(int threads, pthread_t *members) {
    int size = 0;
#pragma omp parallel num_threads(threads)
    {
        members[omp_get_thread_num()] = pthread_self();
#pragma omp single
        size = omp_get_num_threads();
    }
    return size;
}

// Runs a region in which each thread calls `body`, a function of the other library.
void side_call(int threads, void (*body)(void *), void *argument) {
#pragma omp parallel num_threads(threads)
    body(argument);
}

// Orphaned constructs: bind to whatever region is running, of whichever compiler.
struct orphan {
    int team_size, singles, iterations[1000], tasks;
    long sum;
};

void side_orphan(void *argument) {
    struct orphan *o = argument;
#pragma omp single
    {
        o->singles++;
        o->team_size = omp_get_num_threads();
    }
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < 1000; i++) o->iterations[i]++;
#pragma omp for schedule(static)
    for (int i = 0; i < 1000; i++) {
#pragma omp atomic
        o->sum += i;
    }
#pragma omp single nowait
    for (int i = 0; i < 50; i++) {
#pragma omp task
        {
#pragma omp atomic
            o->tasks++;
        }
    }
#pragma omp barrier
}
