// Moves planets for a while. The taskloop makes a task of every planet, though a planet takes some dozen nanoseconds.
// slow: cause: taskloop-too-fine
// slow: also: tasks-too-fine
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: larger grainsize
#include <cmath>
#include <vector>

#include "../slow.h"

namespace {

#ifdef MENDED
constexpr int grain = 250;
#else
constexpr int grain = 1;
#endif

struct Planet {
    double x, y, vx, vy;
};

std::vector<Planet> scatter(int count) {
    std::vector<Planet> all(count);
#pragma omp parallel for
    for (int i = 0; i < count; i++) {
        double distance = 1.0 + fraction(i);
        all[i] = {distance, 0.0, 0.0, 1.0 / std::sqrt(distance)};
    }
    return all;
}

void move(Planet &planet, double step) {
    for (int part = 0; part < 16; part++) {
        double square = planet.x * planet.x + planet.y * planet.y, pull = step / (square * std::sqrt(square));
        planet.vx -= planet.x * pull;
        planet.vy -= planet.y * pull;
        planet.x += planet.vx * step;
        planet.y += planet.vy * step;
    }
}

void move_all(std::vector<Planet> &all, double step) {
    unsigned long count = all.size();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(grain) // slow: here
    for (unsigned long i = 0; i < count; i++) move(all[i], step);
}

double energy(const std::vector<Planet> &all) {
    double sum = 0.0;
    int count = static_cast<int>(all.size());
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < count; i++) {
        const Planet &p = all[i];
        sum += 0.5 * (p.vx * p.vx + p.vy * p.vy) - 1.0 / std::sqrt(p.x * p.x + p.y * p.y);
    }
    return sum;
}

// How many planets lie in a ring around the sun.
int count_ring(const std::vector<Planet> &all, double inner, double outer) {
    int number = 0, count = static_cast<int>(all.size());
#pragma omp parallel for reduction(+ : number)
    for (int i = 0; i < count; i++) {
        double square = all[i].x * all[i].x + all[i].y * all[i].y;
        number += square >= inner * inner && square < outer * outer;
    }
    return number;
}

// Dust slows the planets a little.
void brake(std::vector<Planet> &all) {
    int count = static_cast<int>(all.size());
#pragma omp parallel for
    for (int i = 0; i < count; i++) {
        double factor = 1.0 - 1e-9 / (1.0 + all[i].x * all[i].x);
        all[i].vx *= factor;
        all[i].vy *= factor;
    }
}

}  // namespace

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 300);
    std::vector<Planet> all = scatter(10000);
    double sum = 0.0;
    for (long step = 0; step < steps; step++) {
        move_all(all, 1e-3);
        brake(all);
        sum += energy(all) - 1e-3 * count_ring(all, 1.0, 1.5);
    }
    return finish(std::isfinite(sum) && sum < 0.0, sum / static_cast<double>(steps));
}
