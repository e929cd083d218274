// A mapper for a class template's instances, and target regions in its member functions. OpenMP 5.1, 2.21.7.4
//@ devices: 1 3
//@ flags: -Wno-openmp-mapping
//@ cannot: gcc because gcc 12 has no mappers
#include "device.h"

template <typename T>
struct Array {
    T *data;
    int n;
    explicit Array(int n) : data(new T[n]), n(n) {
        for (int i = 0; i < n; i++) data[i] = T(i);
    }
    ~Array() { delete[] data; }
};
typedef Array<double> Doubles;
#pragma omp declare mapper(Doubles a) map(a.n) map(a.data[0 : a.n])

int main() {
    Doubles a(25);
    double *host = a.data;
#pragma omp target map(tofrom : a)
    for (int i = 0; i < a.n; i++) a.data[i] += 0.5;
    for (int i = 0; i < 25; i++) CHECK(a.data[i] == i + 0.5, "%d: %g", i, a.data[i]);
    CHECK(a.data == host, "the host's pointer has changed");
    return verdict();
}
