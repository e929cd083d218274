// Particles in cells: between the parallel steps, one thread alone sorts the particles into cells.
// slow: cause: serial-phase
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: parallel for
#include <algorithm>
#include <cmath>
#include <vector>

#include "../slow.h"

namespace {

constexpr int side = 24, cells = side * side, count = 9000;

struct Particle {
    double x, y, vx, vy;
};

using Cells = std::vector<std::vector<int>>;

std::vector<Particle> scatter() {
    std::vector<Particle> all(count);
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        all[i] = {side * fraction(4 * i), side * fraction(4 * i + 1), fraction(4 * i + 2) - 0.5,
                  fraction(4 * i + 3) - 0.5};
    return all;
}

int cell_of(const Particle &particle) {
    int column = std::min(side - 1, static_cast<int>(particle.x));
    int line = std::min(side - 1, static_cast<int>(particle.y));
    return line * side + column;
}

// The particles of each cell, nearest to the cell's corner first.
void order(const std::vector<Particle> &all, std::vector<int> &members) {
    std::sort(members.begin(), members.end(), [&](int a, int b) {
        double da = all[a].x * all[a].x + all[a].y * all[a].y, db = all[b].x * all[b].x + all[b].y * all[b].y;
        return da < db || (da == db && a < b);
    });
}

void find_members(const std::vector<Particle> &all, Cells &members) {
    for (auto &each : members) each.clear();
    for (int i = 0; i < count; i++) members[cell_of(all[i])].push_back(i);
}

void order_cells(const std::vector<Particle> &all, Cells &members) {
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 8)
#endif
    for (int cell = 0; cell < cells; cell++) order(all, members[cell]); // slow: here
}

// Particles of one cell push each other away, as strongly as they are near in the cell's order.
void push(std::vector<Particle> &all, const Cells &members) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int cell = 0; cell < cells; cell++)
        for (int a : members[cell])
            for (int b : members[cell]) {
                if (a == b) continue;
                double dx = all[a].x - all[b].x, dy = all[a].y - all[b].y, near = 1e-3 / (0.1 + dx * dx + dy * dy);
                all[a].vx += dx * near;
                all[a].vy += dy * near;
            }
}

void move(std::vector<Particle> &all) {
#pragma omp parallel for
    for (int i = 0; i < count; i++) {
        Particle &each = all[i];
        each.x += 0.01 * each.vx;
        each.y += 0.01 * each.vy;
        if (each.x < 0.0 || each.x > side) each.vx = -each.vx, each.x = std::min(std::max(each.x, 0.0), 1.0 * side);
        if (each.y < 0.0 || each.y > side) each.vy = -each.vy, each.y = std::min(std::max(each.y, 0.0), 1.0 * side);
    }
}

double energy(const std::vector<Particle> &all) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < count; i++) sum += all[i].vx * all[i].vx + all[i].vy * all[i].vy;
    return sum;
}

}  // namespace

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 1500);
    std::vector<Particle> all = scatter();
    Cells members(cells);
    double sum = 0.0;
    for (long step = 0; step < steps; step++) {
        find_members(all, members);
        order_cells(all, members); // slow: or here
        push(all, members);
        move(all);
        sum += energy(all);
    }
    return finish(std::isfinite(sum) && sum > 0.0, std::floor(sum / steps));
}
