// Runs a model with many parameters. Each task gets a copy of the whole state that it only reads.
// slow: cause: copyin-large
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: shared
#include <array>
#include <cmath>
#include <vector>

#include "../slow.h"

namespace {

constexpr int cells = 256, members = 128;

struct State {
    std::array<double, cells> wind, rain;
};

void observe(State &state, long day) {
#pragma omp parallel for
    for (int cell = 0; cell < cells; cell++) {
        state.wind[cell] = fraction(cell + day * cells);
        state.rain[cell] = fraction(cell + day * cells + 77);
    }
}

// What a member foresees under sixteen scenarios.
double foresee(const State &state, int member) {
    double sum = 0.0;
    for (int scenario = 0; scenario < 16; scenario++) {
        double factor = 0.5 + 0.01 * member + 0.1 * scenario;
        for (int cell = 0; cell < cells; cell++) sum += state.rain[cell] / (factor + state.wind[cell]);
    }
    return sum;
}

void run_members(const State &given, std::vector<double> &forecast) {
    State state = given;
#pragma omp parallel
#pragma omp for
    for (int member = 0; member < members; member++) {
#ifdef MENDED
#pragma omp task shared(state, forecast) firstprivate(member)
#else
#pragma omp task firstprivate(state, member) shared(forecast) // slow: here
#endif
        forecast[member] = foresee(state, member);
    }
}

double mean(const std::vector<double> &forecast) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int member = 0; member < members; member++) sum += forecast[member];
    return sum / members;
}

// How far the members are apart.
double width(const std::vector<double> &forecast) {
    double least = 1e9, most = -1e9;
#pragma omp parallel for reduction(min : least) reduction(max : most)
    for (int member = 0; member < members; member++) {
        least = std::fmin(least, forecast[member]);
        most = std::fmax(most, forecast[member]);
    }
    return most - least;
}

}  // namespace

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 1600);
    State state;
    std::vector<double> forecast(members);
    double sum = 0.0;
    for (long day = 0; day < days; day++) {
        observe(state, day % 10);
        run_members(state, forecast);
        sum += mean(forecast) + width(forecast);
    }
    return finish(std::isfinite(sum) && sum > 0.0, sum / static_cast<double>(days));
}
