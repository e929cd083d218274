// Fourier transforms of the lines of a picture, then of its columns.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "../slow.h"

namespace {

constexpr int side = 256;
using Number = std::complex<float>;
using Picture = std::vector<Number>;

const std::vector<Number> &roots() {
    static const std::vector<Number> all = [] {
        std::vector<Number> made(side / 2);
        for (int k = 0; k < side / 2; k++) made[k] = std::polar(1.0f, -6.2831853f * k / side);
        return made;
    }();
    return all;
}

Number times(Number a, Number b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

void transform(Number *line) {
    for (int i = 1, other = 0; i < side; i++) {
        int bit = side >> 1;
        for (; other & bit; bit >>= 1) other ^= bit;
        other ^= bit;
        if (i < other) std::swap(line[i], line[other]);
    }
    const std::vector<Number> &root = roots();
    for (int half = 1; half < side; half *= 2)
        for (int first = 0; first < side; first += 2 * half)
            for (int k = 0; k < half; k++) {
                Number a = line[first + k], b = times(line[first + k + half], root[k * (side / 2 / half)]);
                line[first + k] = a + b;
                line[first + k + half] = a - b;
            }
}

void transform_lines(Picture &picture) {
#pragma omp parallel for
    for (int line = 0; line < side; line++) transform(&picture[line * side]);
}

void transpose(const Picture &from, Picture &to) {
    constexpr int block = 32;
#pragma omp parallel for collapse(2)
    for (int line = 0; line < side; line += block)
        for (int column = 0; column < side; column += block)
            for (int y = line; y < line + block; y++)
                for (int x = column; x < column + block; x++) to[x * side + y] = from[y * side + x];
}

}  // namespace

int main(int argc, char **argv) {
    long pictures = repeated(argc, argv, 900);
    Picture picture(side * side), turned(side * side);
    double power = 0.0;
    roots();
    for (long number = 0; number < pictures; number++) {
#pragma omp parallel for
        for (int i = 0; i < side * side; i++) picture[i] = static_cast<float>((i * 7 + number) % 64);
        transform_lines(picture);
        transpose(picture, turned);
        transform_lines(turned);
        power += std::abs(turned[0]);
    }
    double mean = power / static_cast<double>(pictures) / (side * side);
    return finish(std::fabs(mean - 31.5) < 0.1, mean);
}
