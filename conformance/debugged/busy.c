// Everything at once, again and again until somebody ends it: whoever looks at it stops it anywhere.
#include "said.h"

static omp_lock_t lock;
static volatile long sum;

static void work(int depth) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        for (int task = 0; task < 8; task++) {
#pragma omp task untied if (task != 3) final(task == 5)
            {
#pragma omp taskgroup
                {
#pragma omp task
#pragma omp atomic
                    sum++;
                }
                omp_set_lock(&lock);
                sum++;
                omp_unset_lock(&lock);
            }
        }
        int x = 0;
#pragma omp task depend(out : x) shared(x)
        x++;
#pragma omp task depend(inout : x) shared(x)
        x++;
#pragma omp taskwait
#pragma omp for ordered schedule(dynamic, 1)
        for (int i = 0; i < 4; i++) {
#pragma omp ordered
            sum++;
        }
#pragma omp critical
        sum++;
        if (depth < 2) work(depth + 1);
    }
}

static void *end_soon(void *argument) {
    while (!parked) usleep(1000);
    usleep(getpid() % 5 * 700);
    abort();
    return argument;
}

int main(int count, char **argument) {
    arguments(count, argument);
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
    omp_init_lock(&lock);
    // Its last moment may be any.
    if (count > 1 && !strcmp(argument[1], "soon")) {
        pthread_t thread;
        pthread_create(&thread, NULL, end_soon, NULL);
    }
    while (!let_go) {
        work(0);
#pragma omp parallel num_threads(5)
        sum++;
        parked = 1;
    }
    return 0;
}
