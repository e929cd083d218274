// In C++ the allocator arguments may be left out: memory comes from the default allocator and finds its way back. Containers over an
// allocator of the program's. OpenMP 5.1, 3.13
//@ needs: clang 14, gcc 12
#include "check.h"
#include <cstdint>
#include <numeric>
#include <vector>

template <class T> struct Aligned {
    using value_type = T;
    omp_allocator_handle_t handle;
    explicit Aligned(omp_allocator_handle_t handle) : handle(handle) {}
    template <class U> Aligned(const Aligned<U> &other) : handle(other.handle) {}
    T *allocate(std::size_t n) { return static_cast<T *>(omp_alloc(n * sizeof(T), handle)); }
    void deallocate(T *p, std::size_t) { omp_free(p, handle); }
    template <class U> bool operator==(const Aligned<U> &other) const { return handle == other.handle; }
    template <class U> bool operator!=(const Aligned<U> &other) const { return handle != other.handle; }
};

int main() {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 4096}};
    omp_allocator_handle_t pages = omp_init_allocator(omp_default_mem_space, 1, traits);
#pragma omp parallel
    {
        int *p = static_cast<int *>(omp_alloc(10 * sizeof(int)));
        int *q = static_cast<int *>(omp_calloc(10, sizeof(int)));
        int *r = static_cast<int *>(omp_aligned_alloc(64, 128)), *s = static_cast<int *>(omp_aligned_calloc(64, 2, 64));
        p[9] = 9;
        p = static_cast<int *>(omp_realloc(p, 1000 * sizeof(int)));
        CHECK(p && p[9] == 9 && q && q[9] == 0 && (std::uintptr_t)r % 64 == 0 && s && s[31] == 0, "blocks");
        omp_free(p);
        omp_free(q);
        omp_free(r);
        omp_free(s);
        std::vector<int, Aligned<int>> numbers{Aligned<int>(pages)};
        for (int i = 0; i < 5000; i++) numbers.push_back(i);
        CHECK((std::uintptr_t)numbers.data() % 4096 == 0, "data at %p", (void *)numbers.data());
        CHECK_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 5000 * 4999 / 2);
    }
    omp_destroy_allocator(pages);
    return verdict();
}
