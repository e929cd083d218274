// affinity-format-var: set, read back, used by default, and by an empty format; a long one stays whole.
// OpenMP 5.1, 3.3.8 to 3.3.11
//@ threads: 1 3
//@ stock-fails: clang because libomp keeps the first 511 bytes of a format only
#include <string.h>

#include "check.h"

int main(void) {
    char text[2048], format[2048];
    CHECK(omp_get_affinity_format(NULL, 0) > 0, "there is a default");
    omp_set_affinity_format("thread %n of %N");
    CHECK_EQ(omp_get_affinity_format(text, sizeof text), 15);
    CHECK(strcmp(text, "thread %n of %N") == 0, "%s", text);
    omp_capture_affinity(text, sizeof text, NULL);
    CHECK(strcmp(text, "thread 0 of 1") == 0, "%s", text);
    omp_capture_affinity(text, sizeof text, "");
    CHECK(strcmp(text, "thread 0 of 1") == 0, "%s", text);
    omp_capture_affinity(text, sizeof text, "%L");
    CHECK(strcmp(text, "0") == 0, "%s", text);

    memset(format, 'x', 1500);
    format[1500] = 0;
    omp_set_affinity_format(format);
#pragma omp parallel private(text)
    {
        CHECK_EQ(omp_get_affinity_format(text, sizeof text), 1500);
        CHECK(strcmp(text, format) == 0, "the format is another");
        CHECK_EQ(omp_capture_affinity(text, sizeof text, NULL), 1500);
    }
    return verdict();
}
