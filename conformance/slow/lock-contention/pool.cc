// Filters the lines of a picture. Each line's scratch memory comes from a pool that all threads share, under a lock that
// is not OpenMP's.
// slow: cause: lock-contention
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: a pool for each thread
#include <mutex>
#include <vector>

#include "../slow.h"

namespace {

constexpr int width = 24, lines = 40000;

class Pool {
    std::mutex guard;
    std::vector<std::vector<double>> free;

public:
    std::vector<double> take() {
#ifndef MENDED
        std::lock_guard<std::mutex> hold(guard); // slow: here
#endif
        if (free.empty()) return std::vector<double>(width);
        std::vector<double> scratch = std::move(free.back());
        free.pop_back();
        return scratch; // slow: or here
    }

    void give(std::vector<double> scratch) {
#ifndef MENDED
        std::lock_guard<std::mutex> hold(guard); // slow: or here
#endif
        free.push_back(std::move(scratch));
    }
};

#ifdef MENDED
thread_local Pool pool;
#else
Pool pool;
#endif

double filtered(long line) {
    std::vector<double> scratch = pool.take();
    for (int x = 0; x < width; x++) scratch[x] = fraction(line * width + x);
    double edges = 0;
    for (int x = 1; x < width; x++) edges += std::abs(scratch[x] - scratch[x - 1]);
    pool.give(std::move(scratch));
    return std::floor(edges * 1024);
}

double filter_all(long pass) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long line = 0; line < lines; line++) sum += filtered(line + pass * lines);
    return sum;
}

} // namespace

int main(int argc, char **argv) {
    double sum = 0;
    for (long pass = 0, passes = repeated(argc, argv, 60); pass < passes; pass++) sum += filter_all(pass);
    return finish(sum > 0, sum);
}
