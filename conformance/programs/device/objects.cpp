// Target regions in C++: this, members, lambdas, references, and an exception that is caught inside. OpenMP 5.1, 2.14.5
//@ needs: gcc 12
#include <stdexcept>
#include <vector>

#include "check.h"

struct Accumulator {
    int total = 0;
    void add(int value) {
#pragma omp target map(tofrom : this[0 : 1])
        total += value;
    }
};

template <typename T> static T twice(T value) {
    T result{};
#pragma omp target map(from : result)
    result = value + value;
    return result;
}

int main() {
    Accumulator accumulator;
    for (int i = 1; i <= 10; i++) accumulator.add(i);
    CHECK_EQ(accumulator.total, 55);
    CHECK_EQ(twice(21), 42);
    CHECK(twice(0.25) == 0.5, "not half");

    std::vector<int> values(30, 2);
    int *data = values.data(), sum = 0;
    int &reference = sum;
#pragma omp target map(to : data[0 : 30]) map(tofrom : reference)
    for (int i = 0; i < 30; i++) reference += data[i];
    CHECK_EQ(sum, 60);

    int caught = 0;
    auto thrower = [](int x) {
        if (x > 2) throw std::runtime_error("too large");
    };
#pragma omp parallel
#pragma omp single
    {
#pragma omp target map(tofrom : caught)
        {
            try {
                thrower(3);
            } catch (const std::runtime_error &) {
                caught++;
            }
        }
    }
    CHECK_EQ(caught, 1);
    return verdict();
}
