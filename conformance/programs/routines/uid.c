// Unique identifiers of devices, as libomp 22 and later have them: names that any program may look up. OpenMP 6.0, sections 24.7, 24.8
//@ compilers: clang
//@ libs: dl
//@ stock-fails: clang because libomp 19 has none of them
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <string.h>

int main(void) {
    const char *(*uid)(int) = (const char *(*)(int))dlsym(RTLD_DEFAULT, "omp_get_uid_from_device");
    int (*device)(const char *) = (int (*)(const char *))dlsym(RTLD_DEFAULT, "omp_get_device_from_uid");
    const char *(*uid_)(int) = (const char *(*)(int))dlsym(RTLD_DEFAULT, "omp_get_uid_from_device_");
    int (*device_)(const char *) = (int (*)(const char *))dlsym(RTLD_DEFAULT, "omp_get_device_from_uid_");
    if (!uid || !device || !uid_ || !device_) return 1;
    const char *host = uid(omp_get_initial_device());
    CHECK(host && *host && uid(-1) == host && uid_(-1) == host, "the host's");
    CHECK_EQ(device(host), omp_get_initial_device());
    CHECK_EQ(device_(host), omp_get_initial_device());
    CHECK(uid(1000) == NULL, "no device's");
    CHECK_EQ(device("nobody's"), -2);
    CHECK_EQ(device(NULL), -2);
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    return verdict();
}
