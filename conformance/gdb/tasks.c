// Tasks in every condition: one that runs, others that wait for its result or in a queue, and one that waits for its children.
#include "rest.h"
#include <omp.h>

static int a, b;

__attribute__((noinline)) static void produce(void)
{
    others_rest(1);
    a = 1;
    open_gate();
}

__attribute__((noinline)) static void consume(void)
{
#pragma omp atomic
    b += a;
}

int main(void)
{
    make_gate();
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task if (0)
            {
                for (int i = 0; i < 3; i++) {
#pragma omp task priority(2)
                    consume();
                }
#pragma omp task depend(out: a)
                produce();
                for (int i = 0; i < 2; i++) {
#pragma omp task depend(in: a)
                    consume();
                }
#pragma omp taskwait
            }
        } else {
            wait_at_gate();
        }
    }
    return b == 0;
}
