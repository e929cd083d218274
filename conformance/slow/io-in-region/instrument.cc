// Asks an instrument for its next picture, and all threads wait for the answer. One question could bring many pictures.
// slow: cause: io-in-region
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: fewer, larger requests
#include <chrono>
#include <thread>
#include <vector>

#include "../slow.h"

namespace {

constexpr int size = 200000;
#ifdef MENDED
constexpr long pictures_at_once = 25;
#else
constexpr long pictures_at_once = 1;
#endif

// The instrument needs half a millisecond for an answer, in which nobody computes.
void ask(std::vector<uint64_t> &seeds, long first) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    for (long number = first; number < first + pictures_at_once; number++) seeds[number - first] = mixed(number);
}

unsigned develop(uint64_t seed, int pixel) {
    uint64_t value = seed + pixel;
    for (int round = 0; round < 4; round++) value = mixed(value);
    return static_cast<unsigned>(value % 65521);
}

}  // namespace

int main(int argc, char **argv) {
    long pictures = repeated(argc, argv, 300);
    std::vector<uint64_t> seeds(pictures_at_once);
    std::vector<unsigned> picture(size);
    unsigned long sum = 0;
#pragma omp parallel
    for (long number = 0; number < pictures; number++) {
        if (number % pictures_at_once == 0) {
#pragma omp single // slow: here
            ask(seeds, number); // slow: or here
        }
#pragma omp for schedule(dynamic, 2000) reduction(+ : sum)
        for (int i = 0; i < size; i++) {
            picture[i] = develop(seeds[number % pictures_at_once], i);
            sum += picture[i];
        }
    }
    return finish(sum > 0, static_cast<double>(sum));
}
