// Target regions in function and class templates, with several types. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

template <typename T, int N>
T sum_of(const T (&values)[N]) {
    T sum = 0;
#pragma omp target parallel for reduction(+ : sum) map(to : values) map(tofrom : sum)
    for (int i = 0; i < N; i++) sum += values[i];
    return sum;
}

template <typename T>
struct Buffer {
    T *data;
    int n;
    explicit Buffer(int n) : data(new T[n]), n(n) {}
    ~Buffer() { delete[] data; }
    void fill(T value) {
        T *d = data;
        int count = n;
#pragma omp target map(from : d[0 : count])
        for (int i = 0; i < count; i++) d[i] = value + static_cast<T>(i);
    }
};

int main() {
    int i[5] = {1, 2, 3, 4, 5};
    double d[3] = {0.5, 1.5, 2.5};
    unsigned char c[4] = {10, 20, 30, 40};
    CHECK_EQ(sum_of(i), 15);
    CHECK(sum_of(d) == 4.5, "%g", sum_of(d));
    CHECK_EQ(sum_of(c), 100);
    Buffer<float> f(20);
    Buffer<long> l(30);
    f.fill(0.5f);
    l.fill(1L << 40);
    CHECK(f.data[19] == 19.5f, "%g", f.data[19]);
    CHECK_EQ(l.data[29], (1L << 40) + 29);
    return verdict();
}
