// The Fortran spelling of the routines of OpenMP 6.0 about memory spaces: every argument by reference, the same answers.
//@ libs: dl
//@ threads: 1
//@ stock-fails: gcc because it lacks the routines
//@ stock-fails: clang because it lacks the routines
#define _GNU_SOURCE
#include "check.h"
#include "device_spaces.h"

static void *fortran(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    CHECK(found, "%s", name);
    return found;
}

int main(void) {
    typedef handle (*many)(const int *, const int *, const handle *);
    typedef handle (*one)(const int *, const handle *);
    typedef handle (*all)(const handle *);
    CHECK_EQ(look_up(), 0);
    handle space = CONST_SPACE;
    int host = omp_get_initial_device(), two = 2, list[] = {host, host}, first = 0, n = 1;
    CHECK_EQ(((many)fortran("omp_get_devices_memspace_"))(&two, list, &space), devices_memspace(2, list, space));
    CHECK_EQ(((one)fortran("omp_get_device_memspace_"))(&host, &space), device_memspace(host, space));
    CHECK_EQ(((many)fortran("omp_get_devices_and_host_memspace_"))(&two, list, &space), devices_and_host_memspace(2, list, space));
    CHECK_EQ(((one)fortran("omp_get_device_and_host_memspace_"))(&host, &space), device_and_host_memspace(host, space));
    CHECK_EQ(((all)fortran("omp_get_devices_all_memspace_"))(&space), devices_all_memspace(space));
    CHECK_EQ(((many)fortran("omp_get_devices_allocator_"))(&two, list, &space), devices_allocator(2, list, space));
    CHECK_EQ(((one)fortran("omp_get_device_allocator_"))(&host, &space), device_allocator(host, space));
    CHECK_EQ(((many)fortran("omp_get_devices_and_host_allocator_"))(&two, list, &space), devices_and_host_allocator(2, list, space));
    CHECK_EQ(((one)fortran("omp_get_device_and_host_allocator_"))(&host, &space), device_and_host_allocator(host, space));
    CHECK_EQ(((all)fortran("omp_get_devices_all_allocator_"))(&space), devices_all_allocator(space));
    CHECK_EQ(((int (*)(const handle *))fortran("omp_get_memspace_num_resources_"))(&space), memspace_num_resources(space));
    CHECK_EQ(((handle (*)(const handle *, const int *, const int *))fortran("omp_get_submemspace_"))(&space, &n, &first),
             submemspace(space, 1, &first));
    return verdict();
}
