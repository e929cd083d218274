// A hundred thousand tasks in queues: one thread has made them, the other does not come to a place where it could execute any.
#include "rest.h"
#include <omp.h>

enum { TASKS = 100000 };
static int done;

__attribute__((noinline)) static void full(void)
{
    open_gate();
}

int main(void)
{
    make_gate();
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < TASKS; i++) {
#pragma omp task
#pragma omp atomic
                done++;
            }
            full();
        } else {
            wait_at_gate();
        }
    }
    return done != TASKS;
}
