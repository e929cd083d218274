// copyprivate of objects goes through their copy assignment; a single inside a template function.
// OpenMP 5.1, 2.21.6.2
#include <string>
#include <vector>

#include "check.h"

static int assigned;

template <typename T> struct Box {
    std::vector<T> items;
    Box &operator=(const Box &other) {
        items = other.items;
        __atomic_fetch_add(&assigned, 1, __ATOMIC_RELAXED);
        return *this;
    }
};

template <typename T> static void broadcast(int rounds) {
#pragma omp parallel
    {
        for (int i = 0; i < rounds; i++) {
            Box<T> box;
            std::string text;
#pragma omp single copyprivate(box, text)
            {
                for (int k = 0; k < 10 + i; k++) box.items.push_back((T)k);
                text = std::string(40, (char)('a' + i));
            }
            CHECK_EQ(box.items.size(), 10 + i);
            CHECK_EQ(box.items.back(), 9 + i);
            CHECK(text == std::string(40, (char)('a' + i)), "%s", text.c_str());
        }
    }
}

int main() {
    broadcast<int>(10);
    broadcast<double>(10);
    // gcc assigns the source to itself as well, clang does not.
    int threads = omp_get_max_threads();
    CHECK(assigned >= 20 * (threads - 1) && assigned <= 20 * threads, "%d", assigned);
    return verdict();
}
