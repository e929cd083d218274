// Atomics in C++: members, references, elements of containers, template parameters, and operators on every side of the
// assignment. OpenMP 5.1, 2.19.7
#include <cstdint>
#include <vector>

#include "check.h"

template <typename T> struct Counter {
    T value{};
    void add(T amount) {
#pragma omp atomic
        value += amount;
    }
    T next() {
        T got;
#pragma omp atomic capture
        got = ++value;
        return got;
    }
    T read() const {
        T got;
#pragma omp atomic read
        got = value;
        return got;
    }
};

template <typename T> static void count() {
    Counter<T> counter;
    int rounds = 3, threads = omp_get_max_threads();
#pragma omp parallel
    for (int i = 0; i < rounds; i++) {
        counter.add(1);
        CHECK(counter.next() > 0, "not counted");
        CHECK(counter.read() > 0, "not counted");
    }
    CHECK(counter.value == T(2 * rounds * threads), "%g", double(counter.value));
}

int main() {
    count<std::uint8_t>();
    count<std::int16_t>();
    count<std::uint32_t>();
    count<std::int64_t>();
    count<float>();
    count<double>();

    int threads = omp_get_max_threads();
    std::vector<int> cells(10);
    double real = 0;
    double &reference = real;
    unsigned bits = 0, shifted = 28, product = 1;
#pragma omp parallel
    {
        unsigned mine = 1u << (omp_get_thread_num() % 32);
#pragma omp atomic
        bits |= mine;
#pragma omp atomic
        bits = mine | bits;
#pragma omp atomic
        product = 3 * product;
        for (std::size_t i = 0; i < cells.size(); i++) {
#pragma omp atomic
            cells[i] += int(i);
#pragma omp atomic
            reference = reference + 0.25;
        }
#pragma omp single
        {
#pragma omp atomic
            shifted >>= 1;
#pragma omp atomic
            shifted = 1u << shifted;
        }
    }
    unsigned want = 1;
    for (int i = 0; i < threads; i++) want *= 3;
    CHECK_EQ(product, want);
    CHECK_EQ(bits, threads >= 32 ? ~0u : (1u << threads) - 1);
    for (int i = 0; i < 10; i++) CHECK_EQ(cells[i], i * threads);
    CHECK(real == 2.5 * threads, "%g", real);
    CHECK_EQ(shifted, 1 << 14);
    return verdict();
}
