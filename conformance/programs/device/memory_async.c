// Asynchronous device memory routines: they take their turn among the tasks that their dependence objects name. gcc's and clang's
// objects differ, and so do the versions of the routines that their programs bind to. OpenMP 5.1, 3.8.7-8
//@ libs: dl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "check.h"

typedef int copy_function(void *, const void *, size_t, size_t, size_t, int, int, int, void *);
typedef int rectangle_function(void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *, const size_t *,
                               const size_t *, int, int, int, void *);

static void *routine(const char *name) {
#ifdef __clang__
    return dlsym(RTLD_DEFAULT, name);
#else
    return dlvsym(RTLD_DEFAULT, name, "OMP_5.1.1");
#endif
}

int main(void) {
    copy_function *copy = (copy_function *)routine("omp_target_memcpy_async");
    rectangle_function *rectangle = (rectangle_function *)routine("omp_target_memcpy_rect_async");
    if (copy == NULL || rectangle == NULL) return verdict(); // an older runtime, or one without devices
    int host = omp_get_initial_device();
    int a[20], b[20] = {0}, c[20] = {0}, before_copy = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_depend_t objects[2];
#pragma omp depobj(objects[0]) depend(inout : a)
#pragma omp depobj(objects[1]) depend(inout : b)
#pragma omp task depend(inout : a)
        {
            spin_work(5000);
            for (int i = 0; i < 20; i++) a[i] = i;
        }
        CHECK_EQ(copy(b, a, sizeof a, 0, 0, host, host, 2, objects), 0);
#pragma omp task depend(inout : b)
        for (int i = 0; i < 20; i++) b[i] = -b[i];
        size_t volume[] = {2, 3}, to[] = {1, 1}, from[] = {2, 2}, shape[] = {4, 5};
        CHECK_EQ(rectangle(c, b, sizeof(int), 2, volume, to, from, shape, shape, host, host, 1, &objects[1]), 0);
#pragma omp task depend(in : b)
        before_copy = c[0];
#pragma omp taskwait
        for (int i = 0; i < 20; i++) {
            CHECK_EQ(b[i], -i);
            int row = i / 5, column = i % 5, inside = row >= 1 && row < 3 && column >= 1 && column < 4;
            CHECK_EQ(c[i], inside ? -(i + 6) : 0);
        }
        CHECK(copy(b, a, sizeof a, 0, 0, host, host + 1, 0, NULL) != 0, "no such device");
        CHECK_EQ(copy(c, a, sizeof a, 0, 0, host, host, 0, NULL), 0);
#pragma omp taskwait
        for (int i = 0; i < 20; i++) CHECK_EQ(c[i], i);
        CHECK(rectangle(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host, 0, NULL) >= 3, "dimensions");
#pragma omp depobj(objects[0]) destroy
#pragma omp depobj(objects[1]) destroy
    }
    (void)before_copy;
    return verdict();
}
