// omp_interop_none has no properties; the properties have names and types all the same.
// OpenMP 5.1, 3.12
//@ compilers: clang
#include "check.h"
#include <string.h>

int main(void) {
    omp_interop_t none = omp_interop_none;
    int code = 99;
    CHECK_EQ(omp_get_num_interop_properties(none), 0);
    CHECK_EQ(omp_get_interop_int(none, omp_ipr_device_num, &code), 0);
    CHECK_EQ(omp_get_interop_int(none, omp_ipr_vendor, NULL), 0);
    CHECK(omp_get_interop_ptr(none, omp_ipr_device, &code) == NULL, "a device");
    CHECK(omp_get_interop_str(none, omp_ipr_vendor_name, &code) == NULL, "a vendor");
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    return verdict();
}
