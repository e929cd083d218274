// Member functions with target regions: `this` is mapped, with members by reference and through pointers. OpenMP 5.1, 2.14.5
//@ devices: 1 3
//@ needs: gcc 12
#include "device.h"

class Counter {
public:
    explicit Counter(int n) : size(n), values(new double[n]) {
        for (int i = 0; i < n; i++) values[i] = i;
    }
    ~Counter() { delete[] values; }
    void add(int x) {
#pragma omp target map(tofrom : this->total)
        total += x;
    }
    void enter() {
#pragma omp target enter data map(to : this[0 : 1], values[0 : size])
    }
    void scale(double by) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < size; i++) values[i] *= by;
    }
    void leave() {
#pragma omp target exit data map(from : values[0 : size]) map(release : this[0 : 1])
    }
    double at(int i) const { return values[i]; }
    int total = 0;

private:
    int size;
    double *values;
};

int main() {
    Counter counter(50);
    counter.add(3);
    counter.add(4);
    CHECK_EQ(counter.total, 7);
    counter.enter();
    counter.scale(2);
    counter.scale(1.5);
    counter.leave();
    for (int i = 0; i < 50; i++) CHECK(counter.at(i) == 3 * i, "%d: %g", i, counter.at(i));
    return verdict();
}
