// OpenACC in C++: members, references and templates in compute regions. OpenACC 2.6, 2.5, 2.7
//@ compilers: gcc
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>
#include <vector>

template <typename T> struct Grid {
    std::vector<T> cells;
    T *data;
    int n;
    explicit Grid(int size) : cells(size), data(cells.data()), n(size) {}
    void scale(const T &factor) {
        T *p = data;
        const int count = n;
#pragma acc parallel loop copy(p[0 : count])
        for (int i = 0; i < count; i++) p[i] = factor * T(i);
    }
};

int main() {
    Grid<double> grid(100);
    grid.scale(0.5);
    for (int i = 0; i < 100; i++) CHECK(grid.cells[i] == 0.5 * i, "%d", i);
    CHECK_EQ(acc_on_device(acc_device_host), 1);
    CHECK(acc_is_present(grid.data, sizeof(double)), "not there");
    return verdict();
}
