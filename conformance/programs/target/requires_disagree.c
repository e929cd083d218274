// Compilation units that require different things of devices: the program ends, with a line that names the clause. Only dynamic_allocators
// may be required by some of them. OpenMP 5.1, 2.5.1
//@ compilers: offload
//@ devices: 1
//@ exit: 1
//@ stock-fails: offload because it does not listen to what older compilers say
//@ expect-stderr: `requires unified_shared_memory` ends
//@ checker: no because the program ends in the middle
#include "device.h"
#include <stdint.h>

// What compilers up to clang 17 call for each compilation unit with device code: 1 stands for no requirement.
extern void __tgt_register_requires(int64_t flags);

int main(void) {
    int x = 0;
    __tgt_register_requires(1);
    __tgt_register_requires(16);
    __tgt_register_requires(1);
#pragma omp target map(from : x)
    x = 1;
    CHECK_EQ(x, 1);
    if (verdict()) return 2;
    __tgt_register_requires(8);
    return 0;
}
