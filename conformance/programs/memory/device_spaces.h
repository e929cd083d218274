// The routines of OpenMP 6.0 that retrieve memory spaces and allocators, which headers of older compilers lack: looked up by name.
#ifndef CORPUS_DEVICE_SPACES_H
#define CORPUS_DEVICE_SPACES_H

#include <dlfcn.h>
#include <stdint.h>

typedef uintptr_t handle;

enum { DEFAULT_SPACE = 99, CONST_SPACE = 2, CGROUP_SPACE = 5, DEVICE_SPACE = 102, NO_SPACE = 0 };

static handle (*devices_memspace)(int, const int *, handle), (*device_memspace)(int, handle);
static handle (*devices_and_host_memspace)(int, const int *, handle), (*device_and_host_memspace)(int, handle);
static handle (*devices_all_memspace)(handle);
static handle (*devices_allocator)(int, const int *, handle), (*device_allocator)(int, handle);
static handle (*devices_and_host_allocator)(int, const int *, handle), (*device_and_host_allocator)(int, handle);
static handle (*devices_all_allocator)(handle);
static int (*memspace_num_resources)(handle);
static handle (*submemspace)(handle, int, const int *);

// Looks them all up; how many are missing.
static inline int look_up(void) {
    static const struct { const char *name; void *place; } all[] = {
        {"omp_get_devices_memspace", &devices_memspace},
        {"omp_get_device_memspace", &device_memspace},
        {"omp_get_devices_and_host_memspace", &devices_and_host_memspace},
        {"omp_get_device_and_host_memspace", &device_and_host_memspace},
        {"omp_get_devices_all_memspace", &devices_all_memspace},
        {"omp_get_devices_allocator", &devices_allocator},
        {"omp_get_device_allocator", &device_allocator},
        {"omp_get_devices_and_host_allocator", &devices_and_host_allocator},
        {"omp_get_device_and_host_allocator", &device_and_host_allocator},
        {"omp_get_devices_all_allocator", &devices_all_allocator},
        {"omp_get_memspace_num_resources", &memspace_num_resources},
        {"omp_get_submemspace", &submemspace},
    };
    int missing = 0;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        *(void **)all[i].place = dlsym(RTLD_DEFAULT, all[i].name);
        missing += !*(void **)all[i].place;
    }
    return missing;
}

#endif
