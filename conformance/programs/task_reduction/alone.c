// Task reductions in a team of one thread, whose tasks run where they are generated. OpenMP 5.1, 2.19.5.5, 2.19.5.6
//@ stock-fails: clang because an assertion of its own fails where an event is fulfilled in a team of one thread
//@ needs: gcc 11
#include "check.h"

static void body(const char *where) {
    long sum = 0, product = 1;
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
    {
        for (int i = 1; i <= 10; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) firstprivate(i)
            {
                sum += i;
                if (i <= 5) product *= i;
#pragma omp task in_reduction(+ : sum) firstprivate(i)
                sum += 100 * i;
            }
        }
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp task in_reduction(+ : sum)
            sum += 10000;
        }
    }
    CHECK(sum == 55 + 5500 + 10000, "%s: %ld", where, sum);
    CHECK(product == 120, "%s: %ld", where, product);

    long loop = 0;
#pragma omp taskloop reduction(+ : loop) grainsize(4)
    for (int i = 0; i < 50; i++) loop += i;
    CHECK(loop == 1225, "%s: taskloop %ld", where, loop);

    // The copies wait for a task that waits for an event.
    long detached = 0;
    int x = 0;
    omp_event_handle_t event;
#pragma omp taskgroup task_reduction(+ : detached)
    {
#pragma omp task depend(out : x) detach(event) shared(x)
        x = 1;
#pragma omp task depend(in : x) in_reduction(+ : detached) shared(x)
        detached += 10 * x;
        omp_fulfill_event(event);
    }
    CHECK(detached == 10, "%s: detached %ld", where, detached);
}

int main(void) {
#pragma omp parallel num_threads(1)
    body("a team of one");
#pragma omp parallel
#pragma omp single
    {
#pragma omp parallel num_threads(1)
        body("inside");
    }
    long sum = 0;
#pragma omp parallel num_threads(1) reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum += 7;
#pragma omp task in_reduction(+ : sum)
        sum += 8;
    }
    CHECK_EQ(sum, 15);
    body("outside");
    return verdict();
}
