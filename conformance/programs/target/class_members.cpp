// Classes with base classes, member functions called on the device, operators and constant members. OpenMP 5.1, 2.14.5, 2.14.7
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
struct Base {
    int id = 1;
    int twice() const { return 2 * id; }
};
class Vec : public Base {
public:
    Vec() = default;
    Vec(double x, double y) : x(x), y(y) { id = 7; }
    Vec operator+(const Vec &other) const { return Vec(x + other.x, y + other.y); }
    Vec &operator*=(double by) {
        x *= by;
        y *= by;
        return *this;
    }
    double x = 0, y = 0;
};
#pragma omp end declare target

int main() {
    Vec a(1, 2), b(10, 20), sum, many[10];
    int id = 0;
#pragma omp target map(to : a, b) map(from : sum, id)
    {
        sum = a + b;
        sum *= 2;
        Vec local(0.5, 0.5);
        sum = sum + local;
        id = sum.twice();
    }
    CHECK(sum.x == 22.5 && sum.y == 44.5, "%g %g", sum.x, sum.y);
    CHECK_EQ(id, 14);
#pragma omp target teams distribute parallel for map(tofrom : many)
    for (int i = 0; i < 10; i++) many[i] = Vec(i, -i) + many[i];
    for (int i = 0; i < 10; i++) CHECK(many[i].x == i && many[i].y == -i && many[i].id == 7, "%d", i);
    return verdict();
}
