// Sorts numbers: split into many ranges, then each range is sorted as a task of some dozen microseconds.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <algorithm>
#include <array>
#include <vector>

#include "../slow.h"

namespace {

constexpr int count = 100000, parts = 16, ranges = 128;
using Numbers = std::vector<unsigned>;
using Ranges = std::array<Numbers, ranges>;

void draw(Numbers &numbers, long round) {
#pragma omp parallel for
    for (int i = 0; i < count; i++) numbers[i] = static_cast<unsigned>(mixed(round * count + i) >> 32);
}

// Each part of the numbers has ranges of its own, so that no thread waits.
void split(const Numbers &numbers, std::vector<Ranges> &of_part) {
#pragma omp parallel for schedule(static)
    for (int part = 0; part < parts; part++) {
        for (Numbers &range : of_part[part]) range.clear();
        for (int i = part * (count / parts); i < (part + 1) * (count / parts); i++)
            of_part[part][numbers[i] >> 25].push_back(numbers[i]);
    }
}

void sort_range(const std::vector<Ranges> &of_part, int range, Numbers &sorted) {
    sorted.clear();
    for (const Ranges &part : of_part) sorted.insert(sorted.end(), part[range].begin(), part[range].end());
    std::sort(sorted.begin(), sorted.end());
}

void sort_all(const std::vector<Ranges> &of_part, Ranges &sorted) {
#pragma omp parallel
#pragma omp single
    for (int range = 0; range < ranges; range++) {
#pragma omp task shared(of_part, sorted)
        sort_range(of_part, range, sorted[range]);
    }
}

}  // namespace

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 260);
    Numbers numbers(count);
    std::vector<Ranges> of_part(parts);
    Ranges sorted;
    bool good = true;
    double sum = 0.0;
    for (long round = 0; round < rounds; round++) {
        draw(numbers, round);
        split(numbers, of_part);
        sort_all(of_part, sorted);
        sum += sorted[ranges / 2][10];
        good = good && std::is_sorted(sorted[round % ranges].begin(), sorted[round % ranges].end());
    }
    return finish(good, sum);
}
