// interop constructs of gcc without devices: what they make is omp_interop_none, which has names and codes but no values; the tasks that
// they depend on come first. OpenMP 5.1, 2.15.1, 3.12; OpenMP 6.0, section 16.1
//@ compilers: gcc
//@ needs: gcc 15
#include "check.h"
#include <string.h>

int main(void) {
    omp_interop_t plain = (omp_interop_t)1, synchronising = (omp_interop_t)1, preferring = (omp_interop_t)1;
    int x = 0, seen = -1;
    omp_interop_rc_t code = omp_irc_other;
#pragma omp interop init(target : plain) init(targetsync : synchronising)
#pragma omp interop init(target, targetsync, prefer_type("cuda", "hip", omp_ifr_hsa) : preferring) device(0)
    CHECK(plain == omp_interop_none && synchronising == omp_interop_none && preferring == omp_interop_none, "an object of the host's");
#pragma omp interop init(target : plain) device(omp_initial_device)
    CHECK(plain == omp_interop_none, "an object of the host's");

#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        {
            spin_work(100000);
            x = 1;
        }
#pragma omp interop use(synchronising) depend(inout : x)
#pragma omp task depend(in : x) shared(x, seen)
        seen = x;
#pragma omp interop use(synchronising) init(targetsync : plain) depend(inout : x) nowait
#pragma omp taskwait
    }
    CHECK_EQ(seen, 1);
#pragma omp interop destroy(plain) destroy(synchronising, preferring)
    CHECK(plain == omp_interop_none, "destroyed");

    CHECK_EQ(omp_get_num_interop_properties(plain), 0);
    CHECK_EQ(omp_get_interop_int(plain, omp_ipr_device_num, &code), 0);
    CHECK_EQ(code, omp_irc_empty);
    CHECK(omp_get_interop_ptr(plain, omp_ipr_device, &code) == NULL, "a device");
    CHECK_EQ(code, omp_irc_empty);
    CHECK(omp_get_interop_str(plain, (omp_interop_property_t)3, &code) == NULL, "a string");
    CHECK_EQ(code, omp_irc_out_of_range);
    CHECK(!strcmp(omp_get_interop_name(plain, omp_ipr_vendor_name), "vendor_name"), "a name");
    CHECK(omp_get_interop_name(plain, (omp_interop_property_t)0) == NULL, "no name");
    CHECK(*omp_get_interop_rc_desc(plain, omp_irc_empty), "no description");
    return verdict();
}
