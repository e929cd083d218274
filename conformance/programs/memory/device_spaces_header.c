// The routines, spaces and traits of OpenMP 6.0 and 6.1 as the compiler's own header has them. OpenMP 6.0, chapters 8 and 27
//@ compilers: clang
//@ needs: clang 23
//@ stock-fails: clang because it has no spaces for the host's own number, and ends the program at omp_cgroup_mem_space
#include "check.h"
#include <stdint.h>

int main(void) {
    int host = omp_get_initial_device(), first = 0, list[] = {host};
    static const omp_memspace_handle_t spaces[] = {omp_default_mem_space, omp_const_mem_space, omp_low_lat_mem_space, omp_cgroup_mem_space};
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(omp_get_device_memspace(host, spaces[i]), spaces[i]);
        CHECK_EQ(omp_get_devices_memspace(1, list, spaces[i]), spaces[i]);
        CHECK_EQ(omp_get_device_and_host_memspace(host, spaces[i]), spaces[i]);
        CHECK_EQ(omp_get_devices_and_host_memspace(1, list, spaces[i]), spaces[i]);
        CHECK_EQ(omp_get_devices_all_memspace(spaces[i]), spaces[i]);
        CHECK(omp_get_memspace_num_resources(spaces[i]) >= 1, "resources of space %d", (int)spaces[i]);
        CHECK(omp_get_submemspace(spaces[i], 1, &first) != omp_null_mem_space, "a part of space %d", (int)spaces[i]);
        omp_allocator_handle_t all[] = {omp_get_device_allocator(host, spaces[i]), omp_get_devices_allocator(1, list, spaces[i]),
                                        omp_get_device_and_host_allocator(host, spaces[i]),
                                        omp_get_devices_and_host_allocator(1, list, spaces[i]), omp_get_devices_all_allocator(spaces[i])};
        for (int j = 0; j < 5; j++) {
            char *p = omp_alloc(1000, all[j]);
            CHECK(p, "allocator %d", j);
            p[999] = 1;
            omp_free(p, all[j]);
        }
    }
    CHECK_EQ(omp_get_memspace_num_resources(omp_null_mem_space), 0);
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}, {omp_atk_access, omp_atv_memspace}, {omp_atk_pinned, omp_atv_false},
                                 {omp_atk_pin_device, 0}, {omp_atk_preferred_device, 0}, {omp_atk_target_access, omp_atv_multiple},
                                 {omp_atk_atomic_scope, omp_atv_device}, {omp_atk_part_size, 4096}, {omp_atk_device_access, omp_atv_single}};
    omp_allocator_handle_t made = omp_init_allocator(omp_default_mem_space, 9, traits);
    CHECK(made != omp_null_allocator, "an allocator");
    void *p = omp_alloc(10, made);
    CHECK(p && (uintptr_t)p % 64 == 0, "its memory: %p", p);
    omp_free(p, made);
    omp_destroy_allocator(made);
    CHECK(omp_get_dyn_gprivate_ptr(0, omp_access_cgroup) == NULL && omp_get_dyn_gprivate_nofb_ptr(0, omp_access_cgroup) == NULL, "memory");
    CHECK_EQ(omp_get_dyn_gprivate_size(omp_access_cgroup), 0);
    CHECK_EQ(omp_get_dyn_gprivate_memspace(omp_access_cgroup), omp_null_mem_space);
    return verdict();
}
