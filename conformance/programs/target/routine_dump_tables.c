// ompx_dump_mapping_tables displays what each device has of the host's memory, with sizes, reference counts and where it is declared.
// LLVM's extension.
//@ compilers: offload
//@ needs: offload 17
//@ devices: 1
//@ expect-stderr: ferromp 11111 bytes references 1 routine_dump_tables.c
//@ stderr-may-hold-more:
#include "device.h"

extern void ompx_dump_mapping_tables(void);

static char mapped[11111];

int main(void) {
    mapped[0] = 1;
#pragma omp target enter data map(to : mapped)
    ompx_dump_mapping_tables();
    int there = 0;
#pragma omp target map(tofrom : there)
    there = mapped[0];
    CHECK_EQ(there, 1);
#pragma omp target exit data map(delete : mapped)
    CHECK(!omp_target_is_present(mapped, 0), "still there");
    return verdict();
}
