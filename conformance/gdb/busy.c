// A program that never ends and uses much of OpenMP at once: for looks at moments that nobody has chosen.
#include <omp.h>
#include <pthread.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static volatile long done;

static void tree(int depth)
{
    if (depth == 0)
        return;
#pragma omp task depend(inout : done) priority(depth)
    tree(depth - 1);
#pragma omp task untied final(depth == 2)
    tree(depth - 1);
#pragma omp taskwait
}

// A thread of the program's own, with regions of its own.
static void *beside(void *nothing)
{
    for (int pass = 0; pass < 3; pass++) {
#pragma omp parallel num_threads(2)
#pragma omp critical(beside)
        done++;
    }
    return nothing;
}

static void worksharing(void)
{
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 6; i++) {
#pragma omp ordered
        done++;
    }
    omp_set_lock(&lock);
    done++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    done++;
    omp_unset_nest_lock(&nest);
}

static void pass(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp single nowait
        tree(5);
        worksharing();
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
#pragma omp taskloop grainsize(1)
            for (int i = 0; i < 4; i++)
                tree(2);
        }
    }
#pragma omp teams num_teams(2) thread_limit(2)
    {
#pragma omp parallel num_threads(2)
#pragma omp atomic
        done++;
    }
#pragma omp target map(tofrom : done)
    {
#pragma omp parallel num_threads(2)
#pragma omp atomic
        done++;
    }
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_set_max_active_levels(3);
    for (;;) {
        pthread_t other;
        if (pthread_create(&other, 0, beside, 0) != 0)
            return 1;
        pass();
        pthread_join(other, 0);
    }
}
