// Static data members and constants of classes on the device, and template variables. OpenMP 5.1, 2.14.7
//@ devices: 1 3
//@ cannot: gcc because gcc 12 refuses static members
#include "device.h"

#pragma omp declare target
struct Limits {
    static constexpr int most = 17;
    static int used;
};
int Limits::used = 3;
template <typename T>
T scale_of = T(2);
#pragma omp end declare target

int main() {
    int a = 0;
    double b = 0;
#pragma omp target map(from : a, b)
    {
        Limits::used += 1;
        a = Limits::most + Limits::used;
        b = 1.5 * scale_of<double> + scale_of<int>;
    }
    CHECK_EQ(a, 21);
    CHECK(b == 5, "%g", b);
    return verdict();
}
