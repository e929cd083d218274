// Exceptions thrown in parallel by all threads and tasks at once, caught by reference, rethrown, nested, and carried out of the
// region and out of tasks by exception_ptr; objects on the way are destroyed once each. OpenMP 5.1, 2.6
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"

static int alive;

struct Counted {
    Counted() { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
    Counted(const Counted &) : Counted() {}
    ~Counted() { __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED); }
};

static void deep(int depth, int value) {
    Counted guard;
    if (depth == 0) throw std::out_of_range(std::to_string(value));
    deep(depth - 1, value);
}

int main() {
    std::vector<std::exception_ptr> carried;
    std::mutex mutex;
    int threads = omp_get_max_threads(), nested = 0;
#pragma omp parallel reduction(+ : nested)
    {
        for (int i = 0; i < 20; i++) {
            try {
                try {
                    deep(i % 5, i);
                } catch (const std::out_of_range &) {
                    std::throw_with_nested(std::runtime_error("outer"));
                }
            } catch (const std::runtime_error &error) {
                try {
                    std::rethrow_if_nested(error);
                } catch (const std::out_of_range &inner) {
                    nested += std::stoi(inner.what()) == i;
                }
            }
        }
        for (int i = 0; i < 5; i++) {
#pragma omp task firstprivate(i)
            {
                try {
                    deep(3, i);
                } catch (...) {
                    std::lock_guard<std::mutex> hold(mutex);
                    carried.push_back(std::current_exception());
                }
            }
        }
    }
    CHECK_EQ(nested, 20 * threads);
    CHECK_EQ(carried.size(), 5u * threads);
    int sum = 0;
    for (const std::exception_ptr &one : carried) {
        try {
            std::rethrow_exception(one);
        } catch (const std::out_of_range &error) {
            sum += std::stoi(error.what());
        }
    }
    CHECK_EQ(sum, 10 * threads);
    CHECK_EQ(alive, 0);
    return verdict();
}
