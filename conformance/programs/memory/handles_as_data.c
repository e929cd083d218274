// libomp also exports the handles as data, for programs that do not have them from a header: with the numbers of LLVM 21 and later, and
// both numbers of the default space make an allocator.
//@ compilers: clang
//@ threads: 1
//@ stock-fails: clang because its default space had another number before LLVM 21
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <stdint.h>

int main(void) {
    static const struct { const char *name; uintptr_t value; } all[] = {
        {"omp_null_allocator", omp_null_allocator},       {"omp_default_mem_alloc", omp_default_mem_alloc},
        {"omp_large_cap_mem_alloc", omp_large_cap_mem_alloc}, {"omp_const_mem_alloc", omp_const_mem_alloc},
        {"omp_high_bw_mem_alloc", omp_high_bw_mem_alloc}, {"omp_low_lat_mem_alloc", omp_low_lat_mem_alloc},
        {"omp_cgroup_mem_alloc", omp_cgroup_mem_alloc},   {"omp_pteam_mem_alloc", omp_pteam_mem_alloc},
        {"omp_thread_mem_alloc", omp_thread_mem_alloc},   {"omp_null_mem_space", 0},
        {"omp_default_mem_space", 99},                    {"omp_cgroup_mem_space", 5},
        {"omp_large_cap_mem_space", omp_large_cap_mem_space}, {"omp_const_mem_space", omp_const_mem_space},
        {"omp_high_bw_mem_space", omp_high_bw_mem_space}, {"omp_low_lat_mem_space", omp_low_lat_mem_space},
        {"kmp_max_mem_alloc", 1024},                      {"kmp_max_mem_space", 1024},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        const uintptr_t *data = dlsym(RTLD_DEFAULT, all[i].name);
        CHECK(data && *data == all[i].value, "%s", all[i].name);
    }
    const uintptr_t *space = dlsym(RTLD_DEFAULT, "omp_default_mem_space");
    omp_memspace_handle_t both[] = {omp_default_mem_space, (omp_memspace_handle_t)*space};
    for (int i = 0; i < 2; i++) {
        omp_allocator_handle_t made = omp_init_allocator(both[i], 0, NULL);
        CHECK((uintptr_t)made > 1024, "a made allocator's handle is above the predefined ones");
        omp_destroy_allocator(made);
    }
    return verdict();
}
