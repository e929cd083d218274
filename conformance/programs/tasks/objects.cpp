// Firstprivate objects of tasks and of taskloops are constructed and destroyed once each, small ones and ones larger than any block
// that a runtime keeps at hand. OpenMP 5.1, 2.21.4.4, 2.12.2
#include "check.h"
#include <atomic>

static std::atomic<int> alive{0};

template <int SIZE> struct Object {
    int value;
    char bulk[SIZE];
    explicit Object(int value) : value(value) { alive++; }
    Object(const Object &other) : value(other.value) { alive++; }
    ~Object() { alive--; }
};

template <int SIZE> static void tasks() {
    int sum = 0, last = -1;
    {
        Object<SIZE> object(7);
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(object) shared(sum)
            {
#pragma omp atomic
                sum += object.value;
            }
        }
        CHECK_EQ(sum, 140);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(object) lastprivate(last) shared(sum) grainsize(3)
        for (int i = 0; i < 50; i++) {
            last = i;
#pragma omp atomic
            sum += object.value;
        }
        CHECK_EQ(sum, 490);
        CHECK_EQ(last, 49);
    }
    CHECK_EQ(alive.load(), 0);
}

int main() {
    for (int round = 0; round < 3; round++) {
        tasks<8>();
        tasks<300>();
        tasks<1500>();
        tasks<100000>();
    }
    return verdict();
}
