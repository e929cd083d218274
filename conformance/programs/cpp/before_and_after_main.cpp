// Regions, tasks and locks in the constructor of a global object, before main, and in its destructor, after it.
// OpenMP 5.1, 2.6
#include <vector>

#include "check.h"

static int count_team() {
    int n = 0, tasks = 0;
#pragma omp parallel reduction(+ : n)
    {
        n++;
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
            {
#pragma omp atomic
                tasks++;
            }
        }
    }
    return n + tasks;
}

struct Global {
    std::vector<int> table;
    omp_lock_t lock;
    Global() : table(100) {
        omp_init_lock(&lock);
#pragma omp parallel for
        for (int i = 0; i < 100; i++) table[i] = i;
        CHECK_EQ(count_team(), omp_get_max_threads() + 10);
    }
    ~Global() {
        omp_set_lock(&lock);
        CHECK_EQ(count_team(), omp_get_max_threads() + 10);
        omp_unset_lock(&lock);
        omp_destroy_lock(&lock);
        if (verdict() != 0) _Exit(1);
    }
};

static Global global;

int main() {
    for (int i = 0; i < 100; i++) CHECK_EQ(global.table[i], i);
    CHECK_EQ(count_team(), omp_get_max_threads() + 10);
    return 0;
}
