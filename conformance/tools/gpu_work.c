// Target constructs of most kinds on each device, whose results are checked: `gpu_work [devices]`. Prints how many devices there are, and
// what is wrong; without any device the host does it all.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1000 };
#pragma omp declare target
int global = 7;
#pragma omp end declare target

static int wrong;
static void check(const char *what, double got, double expected) {
    if (got != expected) {
        printf("wrong: %s is %g, not %g\n", what, got, expected);
        wrong = 1;
    }
}

static void work(int device) {
    double a[LENGTH], b[LENGTH];
    for (int i = 0; i < LENGTH; i++) a[i] = b[i] = i;
#pragma omp target map(tofrom : a) device(device)
    for (int i = 0; i < LENGTH; i++) a[i] *= 2;
    check("a[10]", a[10], 20);
#pragma omp target data map(to : a) map(from : b) device(device)
    {
#pragma omp target nowait depend(out : a) device(device)
        for (int i = 0; i < LENGTH; i++) a[i] += 1;
#pragma omp target nowait depend(in : a) depend(out : b) device(device)
        for (int i = 0; i < LENGTH; i++) b[i] = a[i] + 1;
#pragma omp taskwait
    }
    check("b[10]", b[10], 22);
    check("b[999]", b[999], 2000);
    int n = 0;
#pragma omp target map(tofrom : n) device(device)
    n = global++;
    check("global", n < 7 || n > 9, 0);
    if (device == omp_get_initial_device()) return;
    // Memory of the device's own, filled, copied within, with both overlapping, and back.
    unsigned char *there = omp_target_alloc(2 * LENGTH, device), here[2 * LENGTH];
    if (!there) return;
    memset(here, 0, sizeof here);
    for (int i = 0; i < LENGTH; i++) here[i] = (unsigned char)i;
    check("memcpy", omp_target_memcpy(there, here, sizeof here, 0, 0, device, omp_get_initial_device()), 0);
    check("memcpy", omp_target_memcpy(there, there, LENGTH, 100, 0, device, device), 0);
    check("memcpy", omp_target_memcpy(here, there, sizeof here, 0, 0, omp_get_initial_device(), device), 0);
    check("here[110]", here[110], 10);
    check("here[1099]", here[1099], (unsigned char)999);
    int devices = omp_get_num_devices();
    if (devices > 1 && device < devices) {
        int other = (device + 1) % devices;
        unsigned char *far = omp_target_alloc(LENGTH, other);
        if (!far) return omp_target_free(there, device);
        check("memcpy", omp_target_memcpy(far, there, LENGTH, 0, 100, other, device), 0);
        memset(here, 0, sizeof here);
        check("memcpy", omp_target_memcpy(here, far, LENGTH, 0, 0, omp_get_initial_device(), other), 0);
        check("from far", here[20], 20);
        omp_target_free(far, other);
    }
    omp_target_free(there, device);
}

// A device's identifier is its own, and leads back to the device. The compilers' own libraries lack the routines, so they are looked up.
static void identifiers(void) {
    const char *(*uid)(int) = (const char *(*)(int))dlsym(RTLD_DEFAULT, "omp_get_uid_from_device");
    int (*number)(const char *) = (int (*)(const char *))dlsym(RTLD_DEFAULT, "omp_get_device_from_uid");
    if (!uid || !number) return;
    for (int device = 0; device < omp_get_num_devices(); device++) check("device of an identifier", number(uid(device)), device);
}

int main(int argc, char **argv) {
    int devices = argc > 1 ? atoi(argv[1]) : 1;
    printf("devices %d\n", omp_get_num_devices());
    int n = 1;
#pragma omp target map(tofrom : n)
    n++;
    check("n", n, 2);
    for (int device = 0; device < devices; device++)
        work(device < omp_get_num_devices() ? device : omp_get_initial_device());
    identifiers();
    if (!wrong) printf("done\n");
    return wrong;
}
