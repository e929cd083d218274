// A function that serves remote procedure calls of GPUs is registered by each program that flang 23 has linked. Code for host devices makes
// no such calls, so that the function is never called, and nothing is said. LLVM's libomptarget 23
//@ compilers: offload
//@ devices: 1
//@ stock-fails: offload because libomptarget 19 has no such entry point
#include "device.h"

__attribute__((weak)) void __tgt_register_rpc_callback(unsigned (*)(void *, unsigned));
static int called;
static unsigned serve(void *port, unsigned lanes) { return called++, 0; }

int main(void) {
    int x = 0;
    __tgt_register_rpc_callback(serve);
#pragma omp target map(tofrom : x)
    x = 1;
    CHECK_EQ(x, 1);
    CHECK_EQ(called, 0);
    return verdict();
}
