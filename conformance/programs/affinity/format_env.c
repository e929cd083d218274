// OMP_AFFINITY_FORMAT sets affinity-format-var, blanks and all.
// OpenMP 5.1, 6.14
//@ env: OMP_AFFINITY_FORMAT= level %L, %0.3n!
//@ threads: 1 3
#include <string.h>

#include "check.h"

int main(void) {
    char text[64], wanted[64];
    omp_get_affinity_format(text, sizeof text);
    CHECK(strstr(text, "level %L, %0.3n!") != NULL, "%s", text);
#pragma omp parallel private(text, wanted)
    {
        snprintf(wanted, sizeof wanted, "level 1, %03d!", omp_get_thread_num());
        omp_capture_affinity(text, sizeof text, NULL);
        CHECK(strstr(text, wanted) != NULL, "%s", text);
    }
    return verdict();
}
