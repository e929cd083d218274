// A map type with bits that the runtime does not know is refused: the line names the bits and the variable. LLVM's libomptarget
//@ compilers: offload
//@ devices: 1
//@ exit: 1
//@ expect-stderr: 0x20000 map(to) map type program ends
//@ stock-fails: offload because it ignores the bits
//@ checker: no because the program ends in the middle of a construct
#include "device.h"
#include <stdint.h>

void __tgt_target_data_begin_mapper(void *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);

int main(void) {
    int x = 0;
    void *address[1] = {&x};
    int64_t size[1] = {sizeof x}, type[1] = {0x20001};
    printf("ok\n");
    fflush(stdout);
    __tgt_target_data_begin_mapper(0, -1, 1, address, address, size, type, 0, 0);
    return 3;
}
