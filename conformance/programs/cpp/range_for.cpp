// Worksharing over range-based for loops and random access iterators, upwards and downwards, under several schedules, and a doacross loop
// over the elements. OpenMP 5.1, 2.11.1 (canonical loop form: iterators and range-based for)
//@ needs: clang 14
#include <deque>
#include <numeric>
#include <vector>

#include "check.h"

template <typename Container> static void sweep(Container &values, const char *what) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3)
        for (auto &value : values) value++;
#pragma omp for schedule(static)
        for (auto it = values.begin(); it < values.end(); ++it) *it += 10;
#pragma omp for schedule(guided)
        for (auto it = values.end() - 1; it >= values.begin(); it -= 2) *it += 100;
#pragma omp for schedule(static, 1)
        for (auto it = values.begin(); it != values.end(); it++) *it += 1000;
    }
    int index = 0, odd = int(values.size() + 1) % 2;
    for (auto value : values) {
        CHECK(value == 1011 + 100 * (index % 2 == odd), "%s: %d is %d", what, index, int(value));
        index++;
    }
}

int main() {
    for (int n : {1, 2, 7, 64, 301}) {
        std::vector<int> vector(n);
        std::deque<long> deque(n);
        sweep(vector, "vector");
        sweep(deque, "deque");
        int array[37] = {}, sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
        for (int &value : array) {
            value = int(&value - array);
            sum += value;
        }
        CHECK_EQ(sum, 37 * 36 / 2);
        std::vector<int> chain(n + 1);
#pragma omp parallel for ordered(1) schedule(dynamic, 2)
        for (int i = 1; i <= n; i++) {
#pragma omp ordered depend(sink : i - 1)
            chain[i] = chain[i - 1] + i;
#pragma omp ordered depend(source)
        }
        CHECK_EQ(chain[n], n * (n + 1) / 2);
    }
    return verdict();
}
