// omp_target_memset fills memory of the host, at once or in a task with dependences; a device's unique identifier is the host's own, and
// omp_default_device stands for its number wherever one is asked for. OpenMP 6.0, sections 24.7, 24.8, 25.8
//@ compilers: gcc
//@ needs: gcc 16
#include "check.h"
#include <string.h>

static int all(const char *memory, char value, int bytes) {
    for (int i = 0; i < bytes; i++)
        if (memory[i] != value) return 0;
    return 1;
}

int main(void) {
    char memory[100];
    CHECK(omp_target_memset(memory, 0x107, 50, omp_initial_device) == memory, "its answer");
    CHECK(omp_target_memset(memory + 50, 7, 50, omp_get_initial_device()) == memory + 50, "its answer");
    CHECK(all(memory, 7, 100), "the contents");
    omp_target_memset(memory, 8, 0, omp_initial_device);
    CHECK(all(memory, 7, 100), "no bytes");
    omp_target_memset(memory, 9, 100, omp_default_device);
    CHECK(all(memory, 9, 100), "the default device");
#pragma omp parallel
#pragma omp single
    {
        omp_depend_t object;
#pragma omp depobj(object) depend(inout : memory)
#pragma omp task depend(out : memory) shared(memory)
        {
            spin_work(100000);
            memset(memory, 1, 100);
        }
        CHECK(omp_target_memset_async(memory, 2, 99, omp_initial_device, 1, &object) == memory, "its answer");
#pragma omp task depend(in : memory) shared(memory)
        CHECK(all(memory, 2, 99) && memory[99] == 1, "out of order");
#pragma omp taskwait
        omp_target_memset_async(memory, 3, 1, omp_default_device, 0, NULL);
#pragma omp taskwait
#pragma omp depobj(object) destroy
        CHECK_EQ(memory[0], 3);
    }

    const char *host = omp_get_uid_from_device(omp_initial_device);
    CHECK(host && !strcmp(host, "OMP_INITIAL_DEVICE"), "%s", host ? host : "none");
    CHECK(omp_get_uid_from_device(omp_get_initial_device()) == host, "another identifier");
    CHECK(omp_get_uid_from_device(omp_default_device) != NULL, "the default device has none");
    CHECK(omp_get_uid_from_device(1000) == NULL && omp_get_uid_from_device(-7) == NULL, "no device has one");
    CHECK_EQ(omp_get_device_from_uid(host), omp_initial_device);
    CHECK_EQ(omp_get_device_from_uid("nothing"), omp_invalid_device);
    CHECK_EQ(omp_get_device_from_uid(""), omp_invalid_device);
    CHECK_EQ(omp_get_device_from_uid(NULL), omp_invalid_device);

    int before = omp_get_default_device(), x = 0;
    omp_set_default_device(omp_default_device);
    CHECK_EQ(omp_get_default_device(), before);
    CHECK(omp_get_mapped_ptr(&x, omp_default_device) == &x, "the default device's pointer");
#pragma omp target device(omp_default_device) map(tofrom : x)
    x++;
#pragma omp target data device(omp_default_device) map(tofrom : x)
    {
#pragma omp target update device(omp_default_device) to(x)
    }
    CHECK_EQ(x, 1);
    return verdict();
}
