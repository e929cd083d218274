// What a compiler emits for the host's constructs: the structures of tasks and their dependences, and the calls.
#include <omp.h>

static int shared, order;

static void tasks(int *numbers) {
#pragma omp task depend(in : numbers[0]) depend(out : numbers[1]) priority(3) firstprivate(numbers)
    numbers[1] = numbers[0];
#pragma omp task depend(mutexinoutset : numbers[2]) if (numbers[0] < 0)
    numbers[2]++;
#pragma omp task untied mergeable
    shared++;
#if defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11
    omp_event_handle_t event;
#pragma omp task detach(event)
    omp_fulfill_event(event);
#pragma omp taskwait depend(in : numbers[1])
#endif
#pragma omp taskgroup task_reduction(+ : shared)
    {
#pragma omp taskloop grainsize(2) in_reduction(+ : shared)
        for (int i = 0; i < 8; i++) shared += i;
    }
#pragma omp taskyield
}

static void work(int *numbers, int count) {
#pragma omp for schedule(dynamic, 2) ordered nowait
    for (int i = 0; i < count; i++) {
#pragma omp ordered
        order = i;
    }
#pragma omp for schedule(runtime)
    for (int i = 0; i < count; i++) numbers[i]++;
#pragma omp for ordered(1)
    for (int i = 1; i < count; i++) {
#pragma omp ordered depend(sink : i - 1)
        numbers[i] += numbers[i - 1];
#pragma omp ordered depend(source)
    }
#pragma omp sections reduction(+ : shared)
    {
#pragma omp section
        shared++;
    }
#pragma omp single copyprivate(count)
    count++;
#pragma omp critical(name)
    shared++;
#pragma omp master
    shared++;
#pragma omp barrier
}

int main(void) {
    int numbers[8] = {0};
#pragma omp parallel num_threads(2) proc_bind(close) reduction(+ : shared)
    {
        work(numbers, 8);
#pragma omp single
        tasks(numbers);
    }
#pragma omp teams num_teams(2) thread_limit(2)
    {
#pragma omp distribute parallel for
        for (int i = 0; i < 8; i++) numbers[i]++;
    }
    return shared < 0;
}
