// Three threads wait at a barrier for one that waits for something else: for data that nobody sends.
#include "rest.h"
#include <omp.h>

int main(void)
{
    make_gate();
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 2)
            wait_at_gate();
#pragma omp barrier
    }
    return 0;
}
