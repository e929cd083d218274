// Mean, spread and extremes of samples, each by a reduction.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <algorithm>
#include <cmath>
#include <vector>

#include "../slow.h"

struct Summary {
    double mean, deviation, least, most;
};

static void measure(std::vector<double> &samples, long day) {
    long count = static_cast<long>(samples.size());
#pragma omp parallel for
    for (long i = 0; i < count; i++) {
        double u = fraction(i + day), v = fraction(i + day + count);
        samples[i] = std::sqrt(-2.0 * std::log(u + 1e-12)) * std::cos(6.283185307179586 * v);
    }
}

static Summary summarise(const std::vector<double> &samples) {
    long count = static_cast<long>(samples.size());
    double sum = 0.0, squares = 0.0, least = 1e9, most = -1e9;
#pragma omp parallel for reduction(+ : sum, squares) reduction(min : least) reduction(max : most)
    for (long i = 0; i < count; i++) {
        sum += samples[i];
        squares += samples[i] * samples[i];
        least = std::min(least, samples[i]);
        most = std::max(most, samples[i]);
    }
    double mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean), least, most};
}

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 300);
    std::vector<double> samples(100000);
    double deviation = 0.0;
    for (long day = 0; day < days; day++) {
        measure(samples, day);
        deviation += summarise(samples).deviation / days;
    }
    return finish(std::fabs(deviation - 1.0) < 0.05, deviation);
}
