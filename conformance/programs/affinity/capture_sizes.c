// Buffers that are too small: the text is cut, ended with a null byte, and its whole length is returned.
// OpenMP 5.1, 3.3.9, 3.3.11
//@ threads: 1 3
#include <string.h>

#include "check.h"

int main(void) {
    omp_set_affinity_format("0123456789");
#pragma omp parallel
    for (size_t size = 0; size <= 12; size++) {
        char captured[16], format[16];
        memset(captured, '#', sizeof captured);
        memset(format, '#', sizeof format);
        CHECK_EQ(omp_capture_affinity(captured, size, NULL), 10);
        CHECK_EQ(omp_get_affinity_format(format, size), 10);
        size_t kept = size == 0 ? 0 : size <= 10 ? size - 1 : 10;
        CHECK(memcmp(captured, "0123456789", kept) == 0 && memcmp(format, "0123456789", kept) == 0, "cut at %zu", size);
        if (size > 0) CHECK(captured[kept] == 0 && format[kept] == 0, "no end at %zu", size);
        CHECK(captured[12] == '#' && format[12] == '#', "written beyond %zu", size);
        if (size == 0) CHECK(captured[0] == '#' && format[0] == '#', "written without room");
    }
    return verdict();
}
