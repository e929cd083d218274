// What is displayed of mappings on request, and nothing otherwise.
//@ compilers: offload
//@ devices: 1
//@ env: LIBOMPTARGET_INFO=-1
//@ expect-stderr: device 0: shown mapped no longer
//@ expect-stderr: device 0: 4 bytes are copied from
//@ stock-fails: offload because its lines are others
//@ stderr-may-hold-more:
#include "device.h"
#include <stdint.h>

void __tgt_set_info_flag(uint32_t);
int __tgt_print_device_info(int64_t);
void __tgt_init_all_rtls(void);

int main(void) {
    int shown = 1;
#pragma omp target map(tofrom : shown)
    shown++;
    __tgt_set_info_flag(0);
    int hidden = 1;
#pragma omp target map(tofrom : hidden)
    hidden++;
    CHECK_EQ(shown + hidden, 4);
    __tgt_init_all_rtls();
    CHECK(__tgt_print_device_info(0) != 0, "no such device");
    return verdict();
}
