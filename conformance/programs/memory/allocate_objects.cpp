// The allocate clause with objects: constructors and destructors run once for each private copy, wherever its memory is.
// OpenMP 5.1, 2.13.4
//@ needs: gcc 11
#include "check.h"
#include <cstdint>

static int alive, made;

struct Counter {
    alignas(8) int value;
    Counter(int value = 0) : value(value) { count(1); }
    Counter(const Counter &other) : value(other.value) { count(1); }
    ~Counter() { count(-1); }
    Counter &operator+=(const Counter &other) { value += other.value; return *this; }
    static void count(int change) {
        __atomic_fetch_add(&alive, change, __ATOMIC_RELAXED);
        if (change > 0) __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    }
};
#pragma omp declare reduction(add : Counter : omp_out += omp_in) initializer(omp_priv = Counter(0))

int main() {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 128}};
    omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);
    {
        Counter first(5), sum(0), last(0);
        int threads = 0;
#pragma omp parallel firstprivate(first) reduction(add : sum) reduction(+ : threads) allocate(aligned : first, sum)
        {
            CHECK((std::uintptr_t)&first % 128 == 0 && (std::uintptr_t)&sum % 128 == 0, "copies at %p and %p", (void *)&first, (void *)&sum);
            sum.value += first.value;
            threads++;
        }
        CHECK_EQ(sum.value, 5 * threads);
#pragma omp parallel for lastprivate(last) allocate(aligned : last)
        for (int i = 0; i < 50; i++) last.value = i;
        CHECK_EQ(last.value, 49);
        CHECK_EQ(alive, 3);
    }
    CHECK_EQ(alive, 0);
    omp_destroy_allocator(aligned);
    return verdict();
}
