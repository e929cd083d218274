// Regions inside member functions, templates and lambdas, capturing `this`, references and parameters; a lambda as loop body.
// OpenMP 5.1, 2.6, 2.21.1.1 (data-sharing rules, C++)
#include <functional>
#include <vector>

#include "check.h"

template <typename T> class Grid {
  public:
    Grid(int n, T start) : n_(n), cells_(n, start) {}
    void add(const Grid &other, T factor) {
#pragma omp parallel for schedule(dynamic, 5)
        for (int i = 0; i < n_; i++) cells_[i] += factor * other.cells_[i];
    }
    template <typename F> void each(F &&f) {
#pragma omp parallel
        {
#pragma omp for
            for (int i = 0; i < n_; i++) f(cells_[i], i);
        }
    }
    T sum() const {
        T total = 0;
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < n_; i++) total += cells_[i];
        return total;
    }

  private:
    int n_;
    std::vector<T> cells_;
};

int main() {
    Grid<double> a(101, 1), b(101, 2);
    Grid<long> c(77, 0);
    int calls = 0;
    for (int round = 0; round < 6; round++) {
        a.add(b, 0.5);
        c.each([&calls, round](long &cell, int i) {
            cell += i * (round + 1);
#pragma omp atomic
            calls++;
        });
    }
    CHECK(a.sum() == 101 * 7.0, "%g", a.sum());
    CHECK_EQ(c.sum(), 21 * 77 * 76 / 2);
    CHECK_EQ(calls, 6 * 77);
    std::function<int(int)> fib = [&fib](int n) {
        if (n < 2) return n;
        int x = 0, y = 0;
#pragma omp task shared(x, fib)
        x = fib(n - 1);
        y = fib(n - 2);
#pragma omp taskwait
        return x + y;
    };
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(13);
    CHECK_EQ(result, 233);
    return verdict();
}
