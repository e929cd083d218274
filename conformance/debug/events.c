// Regions and tasks of each kind, for the functions that debuggers put breakpoints on (tests/ompd_breakpoints.rs). How many there are of
// each stands in the two numbers at the end.

#include <omp.h>

#define TOUCH() __asm__ volatile("" ::: "memory")

// Parallel and teams regions, and tasks that are explicit, undeferred or target tasks.
int regions, tasks;

static void explicit_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < 3; i++) {
#pragma omp task
            {
                TOUCH();
#pragma omp task
                TOUCH();
#pragma omp taskwait
            }
        }
#pragma omp task if (0)
        {
#pragma omp task if (0)
            TOUCH();
        }
#pragma omp task final(1)
        {
#pragma omp task mergeable
            TOUCH();
        }
#pragma omp task untied
        {
            TOUCH();
#pragma omp taskyield
            TOUCH();
        }
#pragma omp taskloop num_tasks(2)
        for (int i = 0; i < 4; i++) TOUCH();
    }
    regions += 1;
    tasks += 6 + 2 + 2 + 1 + 2;
}

static void nested_regions(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        TOUCH();
#pragma omp parallel if (0)
        {
#pragma omp parallel num_threads(2)
            TOUCH();
        }
#pragma omp atomic
        regions += 3;
    }
    regions += 1;
}

static void a_team_of_one(void) {
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        TOUCH();
    }
    regions += 1;
    tasks += 1;
    // Outside of all regions.
#pragma omp task
    TOUCH();
    tasks += 1;
}

int main(void) {
    omp_set_max_active_levels(3);
    explicit_tasks();
    nested_regions();
    a_team_of_one();
    explicit_tasks();
    return 0;
}
