// Memory spaces and allocators for devices where there is the host alone: the host's own spaces, whichever routine asks, and none for devices
// that do not exist. OpenMP 6.0, chapter 27
//@ needs: gcc 11
//@ libs: dl
//@ stock-fails: gcc because it lacks the routines
//@ stock-fails: clang because it lacks the routines
#define _GNU_SOURCE
#include "check.h"
#include "device_spaces.h"

int main(void) {
    CHECK_EQ(look_up(), 0);
    int host = omp_get_initial_device(), list[] = {host, -1}, none = host + 1, invalid[] = {host, none};
    static const handle spaces[] = {DEFAULT_SPACE, CONST_SPACE, CGROUP_SPACE};
    for (int i = 0; i < 3; i++) {
        handle space = spaces[i];
        CHECK_EQ(device_memspace(host, space), space);
        CHECK_EQ(device_memspace(-1, space), space);
        CHECK_EQ(devices_memspace(2, list, space), space);
        CHECK_EQ(device_and_host_memspace(host, space), space);
        CHECK_EQ(devices_and_host_memspace(1, list, space), space);
        CHECK_EQ(devices_all_memspace(space), space);
        handle all[] = {device_allocator(host, space),         devices_allocator(2, list, space), devices_all_allocator(space),
                        device_and_host_allocator(host, space), devices_and_host_allocator(2, list, space)};
        for (int j = 0; j < 5; j++) {
            CHECK(all[j] && all[j] == all[0], "allocator %d of space %d", j, (int)space);
            char *p = omp_alloc(1000, (omp_allocator_handle_t)all[j]);
            CHECK(p, "memory");
            p[999] = 1;
            omp_free(p, (omp_allocator_handle_t)all[j]);
        }
    }
    CHECK_EQ(device_memspace(none, DEFAULT_SPACE), NO_SPACE);
    CHECK_EQ(devices_memspace(2, invalid, DEFAULT_SPACE), NO_SPACE);
    CHECK_EQ(devices_memspace(-1, list, DEFAULT_SPACE), NO_SPACE);
    CHECK_EQ(devices_memspace(1, NULL, DEFAULT_SPACE), NO_SPACE);
    CHECK_EQ(device_allocator(none, DEFAULT_SPACE), 0);
    CHECK_EQ(device_memspace(host, 98), NO_SPACE);
    CHECK_EQ(device_memspace(host, NO_SPACE), NO_SPACE);
    CHECK_EQ(devices_all_allocator(NO_SPACE), 0);
    return verdict();
}
