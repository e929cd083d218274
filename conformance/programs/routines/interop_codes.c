// Return codes, names and types of the properties that every implementation has.
// OpenMP 5.1, 3.12
//@ compilers: clang
//@ stock-fails: clang because it answers nothing without the library for offloading
#include "check.h"
#include <string.h>

int main(void) {
    omp_interop_t none = omp_interop_none;
    int code = 99;
    omp_get_interop_int(none, omp_ipr_device_num, &code);
    CHECK_EQ(code, omp_irc_empty);
    code = 99;
    omp_get_interop_ptr(none, omp_ipr_targetsync, &code);
    CHECK_EQ(code, omp_irc_empty);
    code = 99;
    omp_get_interop_str(none, (omp_interop_property_t)7, &code);
    CHECK_EQ(code, omp_irc_out_of_range);
    code = 99;
    omp_get_interop_int(none, (omp_interop_property_t)(omp_ipr_first - 1), &code);
    CHECK_EQ(code, omp_irc_out_of_range);
    for (int property = omp_ipr_first; property < 0; property++) {
        const char *name = omp_get_interop_name(none, (omp_interop_property_t)property);
        const char *type = omp_get_interop_type_desc(none, (omp_interop_property_t)property);
        CHECK(name && *name && type && *type, "property %d", property);
    }
    CHECK(!strcmp(omp_get_interop_name(none, omp_ipr_vendor_name), "vendor_name"), "another name");
    CHECK(omp_get_interop_name(none, (omp_interop_property_t)0) == NULL, "a name");
    CHECK(omp_get_interop_type_desc(none, (omp_interop_property_t)-100) == NULL, "a type");
    CHECK(*omp_get_interop_rc_desc(none, omp_irc_empty) != 0, "no text");
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    return verdict();
}
