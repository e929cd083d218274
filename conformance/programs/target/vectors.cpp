// The memory of std::vector and std::array on the device. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include <array>
#include <numeric>
#include <vector>

#include "device.h"

int main() {
    std::vector<double> v(1000), w(1000);
    std::iota(v.begin(), v.end(), 0.0);
    double *p = v.data(), *q = w.data();
    size_t n = v.size();
#pragma omp target teams distribute parallel for map(to : p[0 : n]) map(from : q[0 : n])
    for (size_t i = 0; i < n; i++) q[i] = 2 * p[i];
    for (size_t i = 0; i < n; i++) CHECK(w[i] == 2 * v[i], "%zu: %g", i, w[i]);
    std::array<int, 16> a;
    a.fill(3);
    int sum = 0;
#pragma omp target map(tofrom : a) map(from : sum)
    {
        sum = 0;
        int *elements = reinterpret_cast<int *>(&a);
        for (int i = 0; i < 16; i++) sum += elements[i]++;
    }
    CHECK_EQ(sum, 48);
    CHECK_EQ(a[15], 4);
    std::vector<std::vector<int>> rows(5, std::vector<int>(7, 1));
    for (auto &row : rows) {
        int *r = row.data();
#pragma omp target map(tofrom : r[0 : 7])
        for (int i = 0; i < 7; i++) r[i] += i;
    }
    for (auto &row : rows)
        for (int i = 0; i < 7; i++) CHECK_EQ(row[i], 1 + i);
    return verdict();
}
