// Routines about data: a device that shares the program's memory has every variable, at its own address. OpenACC 2.6, 3.2.18–35
//@ compilers: gcc
//@ needs: gcc 10
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>
#include <string.h>

int main(void) {
    int a[8] = {0}, b[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *p = a;
    acc_init(acc_device_host);
    CHECK(acc_copyin(a, sizeof(a)) == a, "copyin");
    CHECK(acc_pcopyin(a, sizeof(a)) == a && acc_present_or_copyin(a, sizeof(a)) == a, "present_or_copyin");
    CHECK(acc_create(a, 4) == a && acc_pcreate(a, 4) == a && acc_present_or_create(a, 4) == a, "create");
    CHECK_EQ(acc_is_present(a, sizeof(a)), 1);
    CHECK_EQ(acc_is_present(b, 1), 1);
    CHECK_EQ(acc_is_present(NULL, 4), 0);
    CHECK_EQ(acc_is_present(a, 0), 0);
    CHECK(acc_deviceptr(a + 2) == a + 2 && acc_hostptr(a + 2) == a + 2, "its address");
    acc_update_device(a, sizeof(a));
    acc_update_self(a, sizeof(a));
    acc_copyin_async(a, sizeof(a), 1);
    acc_create_async(a, sizeof(a), acc_async_noval);
    acc_update_device_async(a, sizeof(a), 2);
    acc_update_self_async(a, sizeof(a), acc_async_sync);
    acc_attach((void **)&p);
    acc_attach_async((void **)&p, 1);
    acc_detach((void **)&p);
    acc_detach_async((void **)&p, 1);
    acc_detach_finalize((void **)&p);
    acc_detach_finalize_async((void **)&p, 1);
    CHECK(p == a, "the pointer has changed");
    acc_memcpy_to_device(a, b, sizeof(a));
    CHECK(!memcmp(a, b, sizeof(a)), "to the device");
    memset(a, 0, sizeof(a));
    acc_memcpy_to_device_async(a, b, sizeof(a), 1);
    memset(b, 0, sizeof(b));
    acc_memcpy_from_device_async(b, a, sizeof(a), 2);
    acc_wait_all();
    CHECK_EQ(b[7], 8);
    acc_memcpy_from_device(a, a, sizeof(a));
    acc_map_data(a, a, sizeof(a));
    acc_unmap_data(a);
    acc_copyout(a, sizeof(a));
    acc_copyout_async(a, sizeof(a), 1);
    acc_copyout_finalize(a, sizeof(a));
    acc_copyout_finalize_async(a, sizeof(a), 1);
    acc_delete(a, sizeof(a));
    acc_delete_async(a, sizeof(a), 1);
    acc_delete_finalize(a, sizeof(a));
    acc_delete_finalize_async(a, sizeof(a), 1);
    CHECK_EQ(a[7], 8);
    CHECK(acc_malloc(0) == NULL, "memory of no bytes");
    char *memory = acc_malloc(100);
    memset(memory, 1, 100);
    acc_free(memory);
    acc_free(NULL);
    return verdict();
}
