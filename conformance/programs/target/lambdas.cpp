// Lambdas in and around target regions, with captures by value and by reference, of scalars and of pointers. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

template <typename F>
struct Apply {
    F body;
    int operator()(int i) const { return body(i) + 1; }
};

int main() {
    int n = 100, factor = 3, got = 0, sum = 0;
    int *data = new int[n];
    for (int i = 0; i < n; i++) data[i] = i;
#pragma omp target data map(tofrom : data[0 : n])
    {
        auto multiply = [=](int i) { data[i] *= factor; };
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) multiply(i);
        auto add = [data](int i) { data[i] += 1; };
#pragma omp target parallel for
        for (int i = 0; i < n; i++) add(i);
    }
    for (int i = 0; i < n; i++) CHECK_EQ(data[i], 3 * i + 1);
    auto plus = [factor](int x) { return x + factor; };
    Apply<decltype(plus)> apply{plus};
#pragma omp target map(from : got)
    {
        auto inner = [&](int x) { return plus(x) * 2 + apply(x); };
        got = inner(4);
    }
    CHECK_EQ(got, 22);
    auto by_reference = [&sum, &factor](int x) { sum += x * factor; };
#pragma omp target map(tofrom : sum)
    {
        by_reference(5);
        by_reference(6);
    }
    CHECK_EQ(sum, 33);
    delete[] data;
    return verdict();
}
