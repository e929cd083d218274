// What a compiler emits for device constructs: map types, kernel arguments, offload entries, and the calls.
#include <omp.h>

struct list {
    int length;
    int *items;
    struct list *next;
};

int table[8];
#pragma omp declare target(table)

static void kernels(struct list *list, int *numbers, int count, double scalar) {
#pragma omp target map(tofrom : numbers[0 : count]) firstprivate(scalar)
    numbers[0] += (int)scalar;
#ifdef __clang__
#pragma omp target map(to : list->length) map(tofrom : list->items[0 : count])
    list->items[0] += list->length;
#pragma omp target map(always, close, to : list->next[0 : 1]) map(tofrom : list->length)
    list->length = list->next->length;
#endif
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(4) map(numbers[0 : count])
    for (int i = 0; i < count; i++) numbers[i]++;
#pragma omp target nowait depend(inout : numbers[0]) map(from : table)
    table[0] = 1;
#pragma omp taskwait
}

static void data(int *numbers, int count) {
#pragma omp target enter data map(to : numbers[0 : count])
#ifdef __clang__
#pragma omp target data map(tofrom : numbers[0 : count]) use_device_ptr(numbers)
    numbers[0] += 0;
#pragma omp target data map(tofrom : numbers[0 : count]) use_device_addr(numbers[0 : count])
    {
    }
#endif
#pragma omp target update to(numbers[0 : count]) nowait
#pragma omp taskwait
#pragma omp target update from(numbers[0 : count])
#pragma omp target exit data map(release : numbers[0 : count])
#pragma omp target exit data map(delete : numbers[0 : count]) if (count > 1000)
}

int main(void) {
    int numbers[8] = {0}, items[8] = {0};
    struct list last = {1, items, 0}, first = {2, items, &last};
    kernels(&first, numbers, 8, 1.0);
    data(numbers, 8);
    return omp_get_num_devices() < 0;
}
