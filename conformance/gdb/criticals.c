// Two critical constructs, one within the other, in one order by one thread and in the other order by another.
#include "rest.h"
#include <omp.h>

static int inside;

// Waits until both threads are in their outer construct.
static void together(void)
{
    int seen = 0;
#pragma omp atomic update
    inside++;
    while (seen < 2) {
        usleep(100);
#pragma omp atomic read
        seen = inside;
    }
}

int main(void)
{
    inside = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(first)
            {
                together();
#pragma omp critical(second)
                inside--;
            }
        } else {
#pragma omp critical(second)
            {
                together();
#pragma omp critical(first)
                inside--;
            }
        }
    }
    return 0;
}
