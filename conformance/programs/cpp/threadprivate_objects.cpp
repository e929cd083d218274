// Threadprivate objects with constructors: each thread's is constructed before use with the given arguments, copyin assigns,
// and state persists between regions. OpenMP 5.1, 2.21.2 (C++ objects)
#include <string>
#include <vector>

#include "check.h"

static int constructed;

struct Gauge {
    int value;
    std::string name;
    Gauge(int start, const char *text) : value(start), name(text) { __atomic_fetch_add(&constructed, 1, __ATOMIC_RELAXED); }
    Gauge(const Gauge &) = default;
    Gauge &operator=(const Gauge &) = default;
    ~Gauge() { value = -999; }
};

extern Gauge gauge;
extern std::vector<int> list;
#pragma omp threadprivate(gauge, list)
Gauge gauge(42, "a gauge with a name that is too long to be stored in place");
std::vector<int> list(3, 8);

int main() {
    int threads = omp_get_max_threads();
    for (int round = 0; round < 8; round++) {
#pragma omp parallel
        {
            CHECK_EQ(gauge.value, 42 + round);
            CHECK(gauge.name.size() == 58 && gauge.name[0] == 'a', "%s", gauge.name.c_str());
            CHECK_EQ(list.size(), 3 + round);
            CHECK_EQ(list.back(), 8);
            gauge.value++;
            list.push_back(8);
        }
    }
    CHECK_EQ(constructed, threads);
    gauge.value = -1;
    gauge.name = "copied";
    list.assign(5, 1);
#pragma omp parallel copyin(gauge, list)
    {
        CHECK_EQ(gauge.value, -1);
        CHECK(gauge.name == "copied", "%s", gauge.name.c_str());
        CHECK_EQ(list.size(), 5);
    }
    return verdict();
}
