// Bodies that attract each other: an array of classes on the device over many steps, compared with the host. OpenMP 5.1, 2.14
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
struct Vector {
    double x, y;
    Vector operator+(const Vector &o) const { return {x + o.x, y + o.y}; }
    Vector operator-(const Vector &o) const { return {x - o.x, y - o.y}; }
    Vector operator*(double s) const { return {x * s, y * s}; }
    double square() const { return x * x + y * y; }
};
struct Body {
    Vector place, speed;
    double mass;
};
static Vector pull(const Body *bodies, int n, int i) {
    Vector sum = {0, 0};
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        Vector d = bodies[j].place - bodies[i].place;
        sum = sum + d * (bodies[j].mass / (d.square() + 1));
    }
    return sum;
}
#pragma omp end declare target

int main() {
    const int n = 60, steps = 5;
    Body device[n], host[n];
    for (int i = 0; i < n; i++) device[i] = host[i] = {{double(i % 8), double(i / 8)}, {0, 0}, 1.0 + i % 3};
    Body *d = device;
#pragma omp target data map(tofrom : d[0 : n])
    for (int step = 0; step < steps; step++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) d[i].speed = d[i].speed + pull(d, n, i) * 0.01;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) d[i].place = d[i].place + d[i].speed;
    }
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++) host[i].speed = host[i].speed + pull(host, n, i) * 0.01;
        for (int i = 0; i < n; i++) host[i].place = host[i].place + host[i].speed;
    }
    for (int i = 0; i < n; i++) {
        Vector off = device[i].place - host[i].place;
        CHECK(off.square() < 1e-18, "body %d: %g", i, off.square());
    }
    return verdict();
}
