// __kmpc_get_target_offload tells what OMP_TARGET_OFFLOAD says: 0 disabled, 1 default, 2 mandatory.
// OpenMP 5.1, 6.17
//@ compilers: clang
//@ env: OMP_TARGET_OFFLOAD=Mandatory
#include "check.h"

int __kmpc_get_target_offload(void);

int main(void) {
    CHECK_EQ(__kmpc_get_target_offload(), 2);
    return verdict();
}
