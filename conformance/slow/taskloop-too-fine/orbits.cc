// Moves planets for a while. The taskloop makes a task of every planet, though a planet takes some dozen nanoseconds.
// slow: cause: taskloop-too-fine
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: larger grainsize
#include <cmath>
#include <vector>

#include "../slow.h"

namespace {

#ifdef MENDED
constexpr long grain = 250;
#else
constexpr long grain = 1;
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
    for (int part = 0; part < 6; part++) {
        double square = planet.x * planet.x + planet.y * planet.y, pull = step / (square * std::sqrt(square));
        planet.vx -= planet.x * pull;
        planet.vy -= planet.y * pull;
        planet.x += planet.vx * step;
        planet.y += planet.vy * step;
    }
}

void move_all(std::vector<Planet> &all, double step) {
    long count = static_cast<long>(all.size());
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(grain) // slow: here
    for (long i = 0; i < count; i++) move(all[i], step);
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

}  // namespace

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 400);
    std::vector<Planet> all = scatter(10000);
    double sum = 0.0;
    for (long step = 0; step < steps; step++) {
        move_all(all, 1e-3);
        sum += energy(all);
    }
    return finish(std::isfinite(sum) && sum < 0.0, sum / static_cast<double>(steps));
}
