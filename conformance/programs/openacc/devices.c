// The only device is the host, number 0 of its type; others are not there. OpenACC 2.6, 3.2.1–8, 3.2.17
//@ compilers: gcc
//@ needs: gcc 10
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>

static int one(void) {
    int x = 0;
#pragma acc parallel copy(x)
    x++;
    return x;
}

int main(void) {
    CHECK_EQ(acc_get_num_devices(acc_device_host), 1);
    CHECK_EQ(acc_get_num_devices(acc_device_default), 1);
    CHECK_EQ(acc_get_num_devices(acc_device_none), 0);
    CHECK_EQ(acc_get_num_devices(acc_device_not_host), 0);
    CHECK_EQ(acc_get_num_devices(acc_device_nvidia), 0);
    CHECK_EQ(acc_get_num_devices(acc_device_radeon), 0);
    CHECK_EQ(acc_get_device_type(), acc_device_host);
    CHECK_EQ(acc_get_device_num(acc_device_host), 0);
    acc_set_device_type(acc_device_default);
    acc_set_device_num(0, acc_device_host);
    acc_set_device_num(-1, acc_device_default);
    CHECK_EQ(acc_get_device_type(), acc_device_host);
    CHECK_EQ(acc_get_device_num(acc_device_default), 0);
    CHECK(acc_on_device(acc_device_host) && acc_on_device(acc_device_none), "not on the host");
    CHECK(!acc_on_device(acc_device_not_host) && !acc_on_device(acc_device_nvidia), "on another device");
    int (*volatile asked)(acc_device_t) = acc_on_device;
    CHECK_EQ(asked(acc_device_host), 1);
    CHECK_EQ(asked(acc_device_radeon), 0);

    CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_memory), 0);
    CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_free_memory), 0);
    CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_name), 0);
    const acc_device_property_t texts[] = {acc_property_name, acc_property_vendor, acc_property_driver};
    for (int i = 0; i < 3; i++) {
        const char *text = acc_get_property_string(0, acc_device_default, texts[i]);
        CHECK(text && *text, "property %x", texts[i]);
    }
    CHECK(acc_get_property_string(0, acc_device_host, acc_property_memory) == NULL, "a number as a string");
    CHECK(acc_get_current_cuda_device() == NULL && acc_get_current_cuda_context() == NULL, "CUDA");
    CHECK(acc_get_cuda_stream(1) == NULL, "a stream of CUDA's");
    int stream;
    CHECK_EQ(acc_set_cuda_stream(1, NULL), 0);
    CHECK_EQ(acc_set_cuda_stream(-7, &stream), 0);
    CHECK_EQ(acc_set_cuda_stream(1, &stream), -1);

    acc_shutdown(acc_device_host);
    acc_init(acc_device_host);
#pragma omp parallel
    {
        CHECK_EQ(one(), 1);
        CHECK_EQ(acc_get_device_num(acc_device_host), 0);
    }
    acc_shutdown(acc_device_default);
    return verdict();
}
