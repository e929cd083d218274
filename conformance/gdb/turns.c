// A thread whose turn it is in an ordered loop waits for what nobody sends; others wait for their turn, and one for its tasks.
#include "rest.h"
#include <omp.h>

int main(void)
{
    make_gate();
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 3) {
#pragma omp taskgroup
            {
#pragma omp task
                wait_at_gate();
            }
        }
#pragma omp for ordered schedule(static, 1) nowait
        for (int i = 0; i < 3; i++) {
#pragma omp ordered
            {
                if (i == 0)
                    wait_at_gate();
            }
        }
    }
    return 0;
}
