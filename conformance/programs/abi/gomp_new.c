// Entry points of gcc 14 to 16, called as their programs do: by name and version. OpenMP 5.1, 2.13.4, 2.14.7, 2.15; OpenMP 6.0, sections
// 24.7, 24.8, 25.8
//@ compilers: gcc
//@ libs: dl
//@ stock-fails: gcc because libgomp 12 has none of them
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

static void *find(const char *name, const char *version) {
    void *found = dlvsym(RTLD_DEFAULT, name, version);
    if (!found) printf("%s@%s is missing\n", name, version), exit(1);
    return found;
}

typedef uintptr_t interop;
static const char *text;
static size_t length;

static void allocators(void) {
    void (*add)(void *) = find("GOMP_add_alloc", "GOMP_5.1.2");
    _Bool (*is)(void *) = find("GOMP_is_alloc", "GOMP_5.1.2");
    char some[100];
    add(NULL);
    CHECK(!is(NULL) && !is(some), "marks of nothing");
#pragma omp parallel for
    for (int i = 0; i < 100; i++) add(some + i);
#pragma omp parallel for
    for (int i = 99; i >= 0; i--) {
        CHECK(is(some + i), "%d", i);
        CHECK(!is(some + i), "%d again", i);
    }
}

static void interoperability(void) {
    void (*construct)(int, int, interop **, const int *, const char **, int, interop *, int, interop **, unsigned, void **) =
        find("GOMP_interop", "GOMP_5.1.3");
    long (*get_int)(interop, int, int *) = find("omp_get_interop_int", "GOMP_5.1.3");
    void *(*get_ptr)(interop, int, int *) = find("omp_get_interop_ptr", "GOMP_5.1.3");
    const char *(*get_str)(interop, int, int *) = find("omp_get_interop_str", "GOMP_5.1.3");
    const char *(*name)(interop, int) = find("omp_get_interop_name", "GOMP_5.1.3");
    const char *(*rc_desc)(interop, int) = find("omp_get_interop_rc_desc", "GOMP_5.1.3");
    int (*number)(interop) = find("omp_get_num_interop_properties", "GOMP_5.1.3");
    void (*name_f)(const char **, size_t *, interop, int) = find("omp_get_interop_name_", "GOMP_5.1.3");
    void (*str_f)(const char **, size_t *, interop, int, int *) = find("omp_get_interop_str_", "GOMP_5.1.3");
    void (*type_f)(const char **, size_t *, interop, int) = find("omp_get_interop_type_desc_", "GOMP_5.1.3");
    void (*rc_f)(const char **, size_t *, interop, int) = find("omp_get_interop_rc_desc_", "GOMP_5.1.3");
    interop first = 1, second = 2, *variables[] = {&first, &second};
    int kinds[] = {1, 3}, code = 99;
    construct(-5, 2, variables, kinds, NULL, 0, NULL, 0, NULL, 0, NULL);
    CHECK(first == 0 && second == 0, "objects of the host's");
    first = 1;
    construct(-1, 1, variables, kinds, NULL, 1, &second, 1, variables + 1, 1, NULL);
    CHECK(first == 0 && second == 0, "objects of the host's");
    int x = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        {
            spin_work(100000);
            x = 1;
        }
        void *depend[] = {0, (void *)1, (void *)1, 0, 0, &x};
        construct(-5, 0, NULL, NULL, NULL, 1, &second, 0, NULL, 1, depend);
#pragma omp taskwait
    }
    CHECK_EQ(x, 1);
    CHECK_EQ(get_int(0, -5, &code), 0);
    CHECK_EQ(code, -1);
    CHECK(get_ptr(0, -7, &code) == NULL && get_str(0, -2, NULL) == NULL, "values of nothing");
    CHECK_EQ(number(0), 0);
    CHECK(!strcmp(name(0, -1), "fr_id") && name(0, -10) == NULL && *rc_desc(0, -1), "names");
    name_f(&text, &length, 0, -4);
    CHECK(length == 11 && !memcmp(text, "vendor_name", 11), "a name");
    str_f(&text, &length, 0, -4, &code);
    CHECK(length == 0 && text == NULL && code == -1, "a string");
    type_f(&text, &length, 0, 4);
    CHECK(length == 0 && text == NULL, "a type");
    rc_f(&text, &length, 0, 0);
    CHECK(length == strlen(text), "a description");
}

static void devices(void) {
    void *(*fill)(void *, int, size_t, int) = find("omp_target_memset", "GOMP_6.0.1");
    void *(*fill_async)(void *, int, size_t, int, int, omp_depend_t *) = find("omp_target_memset_async", "GOMP_6.0.1");
    const char *(*uid)(int) = find("omp_get_uid_from_device", "GOMP_6.0");
    int (*device)(const char *) = find("omp_get_device_from_uid", "GOMP_6.0");
    void (*uid_f)(const char **, size_t *, int) = find("omp_get_uid_from_device_", "GOMP_6.0");
    void (*uid_f8)(const char **, size_t *, long) = find("omp_get_uid_from_device_8_", "GOMP_6.0");
    int (*device_f)(const char *, size_t) = find("omp_get_device_from_uid_", "GOMP_6.0");
    void *(*indirect)(void *) = find("GOMP_target_map_indirect_ptr", "GOMP_5.1.2");
    char memory[8];
    CHECK(fill(memory, 3, 8, -1) == memory && memory[7] == 3, "memset");
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : memory)
    CHECK(fill_async(memory, 4, 8, -5, 1, &object) == memory, "memset in a task");
#pragma omp taskwait
    CHECK_EQ(memory[7], 4);
#pragma omp depobj(object) destroy
    CHECK(!strcmp(uid(-1), "OMP_INITIAL_DEVICE") && uid(1000) == NULL, "identifiers");
    CHECK_EQ(device(uid(omp_get_initial_device())), -1);
    CHECK_EQ(device("nobody's"), -4);
    uid_f(&text, &length, -1);
    CHECK(length == 18 && text == uid(-1), "the host's identifier");
    uid_f8(&text, &length, 4711);
    CHECK(length == 0 && text == NULL, "an identifier");
    CHECK_EQ(device_f("OMP_INITIAL_DEVICE and more", 18), -1);
    CHECK_EQ(device_f("OMP_INITIAL_DEVICE", 17), -4);
    CHECK(indirect(memory) == memory, "a function's address");
}

int main(void) {
    allocators();
    interoperability();
    devices();
    return verdict();
}
