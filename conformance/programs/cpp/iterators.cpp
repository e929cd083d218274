// Loops over random-access iterators and pointers, forwards and backwards, and range-based for, visit each element once.
// OpenMP 5.1, 2.11.1 (canonical loop form in C++)
#include <deque>
#include <vector>

#include "check.h"

int main() {
    std::vector<int> v(157);
    std::deque<long> d(91, 1);
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
#pragma omp for schedule(dynamic, 4)
            for (std::vector<int>::iterator it = v.begin(); it < v.end(); ++it) ++*it;
#pragma omp for schedule(static, 3) nowait
            for (auto it = d.begin(); it < d.end(); it += 2) *it *= 2;
#pragma omp for schedule(guided)
            for (int *p = v.data() + v.size() - 1; p >= v.data(); p -= 1) *p += 10;
#pragma omp for
            for (int &x : v) x += 100;
        }
    }
    for (int x : v) CHECK_EQ(x, 555);
    for (size_t i = 0; i < d.size(); i++) CHECK_EQ(d[i], i % 2 ? 1 : 32);
    return verdict();
}
