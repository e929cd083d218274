// interop objects: made, asked about, used, destroyed; what is not there is omp_interop_none. OpenMP 5.1, 2.15.1, 3.12
//@ devices: 1 3
//@ stock-fails: offload because its host devices have no such objects, and it uses what it did not make
//@ cannot: gcc because gcc 12 does not know the construct
//@ cannot: clang because without device code its library has none of the entry points
#include "device.h"

int main(void) {
    int device = omp_get_default_device(), x = 0;
    omp_interop_t first = omp_interop_none, second = omp_interop_none;
    CHECK_EQ(omp_get_num_interop_properties(omp_interop_none), 0);
#pragma omp interop init(targetsync : first) device(device)
#pragma omp interop init(target : second) device(device)
    if (first != omp_interop_none) {
        int code = -1;
        intptr_t number = omp_get_interop_int(first, omp_ipr_device_num, &code);
        CHECK(code != omp_irc_success || number == device, "%ld", (long)number);
        CHECK(omp_get_interop_name(first, omp_ipr_device_num) != NULL, "no name");
        CHECK(omp_get_interop_rc_desc(first, omp_irc_success) != NULL, "no description");
    }
#pragma omp interop use(first) nowait depend(inout : x)
#pragma omp taskwait
#pragma omp interop destroy(first)
#pragma omp interop destroy(second)
    CHECK(first == omp_interop_none && second == omp_interop_none, "destroyed objects are none");
    return verdict();
}
