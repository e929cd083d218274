// A global object with a constructor, declared for the device: it is made on each device too. OpenMP 5.1, 2.14.7
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
class Registry {
public:
    Registry() : answer(42) {
        for (int i = 0; i < 4; i++) slots[i] = i + 1;
    }
    int total() const { return slots[0] + slots[1] + slots[2] + slots[3] + answer; }
    int slots[4];
    int answer;
};
Registry registry;
#pragma omp end declare target

int main() {
    int got = 0;
    registry.answer = 0;
#pragma omp target map(from : got)
    got = registry.total();
    CHECK_EQ(got, separate() ? 52 : 10);
    registry.answer = 8;
#pragma omp target update to(registry)
#pragma omp target map(from : got)
    got = registry.total();
    CHECK_EQ(got, 18);
    return verdict();
}
