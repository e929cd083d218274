// Formats that do not follow the grammar: fields that do not exist are `undefined`, the rest goes on.
// OpenMP 5.1, 6.14
//@ threads: 1 3
//@ stock-fails: gcc because libgomp ends the program on such formats
//@ stock-fails: clang because libomp reads past the end of a format that ends with a percent sign
#include <string.h>

#include "check.h"

static void expect(const char *format, const char *wanted) {
    char text[256];
    CHECK_EQ(omp_capture_affinity(text, sizeof text, format), strlen(wanted));
    CHECK(strcmp(text, wanted) == 0, "%s gave '%s', expected '%s'", format, text, wanted);
}

int main(void) {
#pragma omp parallel num_threads(2)
    {
        expect("%x!", "undefined!");
        expect("%{thread}!", "undefined!");
        expect("%{thread_num", "undefined");
        expect("%", "undefined");
        expect("%%%", "%undefined");
        expect("[%05N]", "[2    ]");
        expect("[%0N]", "[2]");
    }
    return verdict();
}
