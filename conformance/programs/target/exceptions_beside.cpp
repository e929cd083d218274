// Exceptions of the host beside target regions, and objects with destructors in target regions. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include <stdexcept>

#include "device.h"

#pragma omp declare target
struct Guard {
    int &count;
    explicit Guard(int &c) : count(c) { count++; }
    ~Guard() { count += 10; }
};
#pragma omp end declare target

static int risky(int x) {
    int r = 0;
#pragma omp target map(from : r)
    r = x * 2;
    if (r > 10) throw std::runtime_error("too large");
    return r;
}

int main() {
    int caught = 0, sum = 0, count = 0;
    for (int i = 0; i < 10; i++) {
        try {
            sum += risky(i);
        } catch (const std::runtime_error &) {
            caught++;
        }
    }
    CHECK_EQ(caught, 4);
    CHECK_EQ(sum, 30);
#pragma omp target map(tofrom : count)
    {
        Guard outer(count);
        {
            Guard inner(count);
        }
    }
    CHECK_EQ(count, 22);
    return verdict();
}
