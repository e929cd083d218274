// Threadprivate objects with constructors that the runtime makes and destroys (__kmpc_threadprivate_register and _cached).
// OpenMP 5.1, 2.21.2
//@ compilers: clang
//@ flags: -fnoopenmp-use-tls
#include <string>

#include "check.h"

static int constructed, destroyed;

struct Counter {
    int value;
    std::string name;
    Counter() : value(5), name("a name that does not fit into the object itself") {
        __atomic_fetch_add(&constructed, 1, __ATOMIC_RELAXED);
    }
    Counter(const Counter &other) : value(other.value), name(other.name) {
        __atomic_fetch_add(&constructed, 1, __ATOMIC_RELAXED);
    }
    Counter &operator=(const Counter &) = default;
    ~Counter() { __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED); }
};

static Counter counter;
#pragma omp threadprivate(counter)

int main() {
    for (int round = 0; round < 6; round++) {
#pragma omp parallel
        {
            CHECK_EQ(counter.value, 5 + round);
            CHECK_EQ(counter.name.size(), 47);
            counter.value++;
        }
    }
    counter.value = 77;
    counter.name = "short";
#pragma omp parallel copyin(counter)
    {
        CHECK_EQ(counter.value, 77);
        CHECK(counter.name == "short", "%s", counter.name.c_str());
    }
    CHECK(constructed >= omp_get_max_threads(), "%d", constructed);
    CHECK_EQ(destroyed, 0);
    return verdict();
}
