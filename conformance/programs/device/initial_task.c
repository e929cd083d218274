// A target region is executed by an initial task, in a contention group of its own, wherever the construct stands: no region is around
// it, and the ICVs are those that the program started with. OpenMP 5.1, 2.4.3, 2.14.5
//@ compilers: gcc
#include "check.h"

static void region(int outside) {
    int level = -1, active = -1, in_parallel = -1, num = -1, threads = -1, nested = 0, iterations = 0, max = -1, final = -1, levels = -1;
#pragma omp target map(from : level, active, in_parallel, num, threads, max, final, levels) map(tofrom : nested, iterations)
    {
        level = omp_get_level();
        active = omp_get_active_level();
        in_parallel = omp_in_parallel();
        num = omp_get_thread_num();
        threads = omp_get_num_threads();
        max = omp_get_max_threads();
        final = omp_in_final();
        omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3) reduction(+ : nested)
        {
            nested += 1;
            if (omp_get_level() != 1) nested += 100;
            if (omp_get_ancestor_thread_num(0) != 0) nested += 1000;
#pragma omp for reduction(+ : iterations)
            for (int i = 0; i < 30; i++) iterations++;
        }
        levels = omp_get_max_active_levels();
    }
    CHECK_EQ(level, 0);
    CHECK_EQ(active, 0);
    CHECK_EQ(in_parallel, 0);
    CHECK_EQ(num, 0);
    CHECK_EQ(threads, 1);
    CHECK_EQ(final, 0);
    CHECK_EQ(max, outside);
    CHECK_EQ(levels, 1);
    CHECK(nested >= 1 && nested <= 3, "%d", nested);
    CHECK_EQ(iterations, 30);
}

int main(void) {
    int started = omp_get_max_threads();
    int levels = omp_get_max_active_levels();
    region(started);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), size = omp_get_num_threads();
#pragma omp critical
        region(started);
        CHECK_EQ(omp_get_thread_num(), me);
        CHECK_EQ(omp_get_num_threads(), size);
        CHECK_EQ(omp_get_level(), 1);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task final(1)
    {
        region(started);
        CHECK_EQ(omp_in_final(), 1);
    }
    CHECK_EQ(omp_get_max_active_levels(), levels);
    return verdict();
}
