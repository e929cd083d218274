// Exceptions thrown and caught within a region, a loop iteration, a critical section or a task, unwinding through frames that
// the compiler outlined but not through the construct's end. OpenMP 5.1, 2.6 (restrictions on throw)
#include <stdexcept>
#include <string>

#include "check.h"

static int thrower(int i) {
    if (i % 3 == 0) throw std::runtime_error(std::to_string(i));
    return i;
}

int main() {
    int caught = 0, kept = 0, in_critical = 0, in_tasks = 0, threads = omp_get_max_threads();
#pragma omp parallel
    {
#pragma omp for reduction(+ : caught, kept) schedule(dynamic, 2)
        for (int i = 0; i < 99; i++) {
            try {
                kept += thrower(i) >= 0;
            } catch (const std::runtime_error &error) {
                CHECK_EQ(std::stoi(error.what()), i);
                caught++;
            }
        }
#pragma omp critical
        {
            try {
                thrower(0);
            } catch (...) {
                in_critical++;
            }
        }
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(i)
            {
                try {
                    thrower(i);
                } catch (const std::exception &) {
#pragma omp atomic
                    in_tasks++;
                }
            }
        }
    }
    CHECK_EQ(caught, 33);
    CHECK_EQ(kept, 66);
    CHECK_EQ(in_critical, threads);
    CHECK_EQ(in_tasks, 10);
    return verdict();
}
