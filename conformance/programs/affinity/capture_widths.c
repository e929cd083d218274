// The width, alignment and padding of fields.
// OpenMP 5.1, 6.14
//@ threads: 1 8
#include <string.h>

#include "check.h"

static void expect(const char *format, const char *wanted) {
    char text[256];
    size_t length = omp_capture_affinity(text, sizeof text, format);
    CHECK(strcmp(text, wanted) == 0, "%s gave '%s', expected '%s'", format, text, wanted);
    CHECK_EQ(length, strlen(wanted));
}

int main(void) {
#pragma omp parallel
    {
        char wanted[64];
        int tid = omp_get_thread_num();
        expect("plain text", "plain text");
        expect("100%%", "100%");
        snprintf(wanted, sizeof wanted, "[%-6d]", tid);
        expect("[%6n]", wanted);
        expect("[%6{thread_num}]", wanted);
        snprintf(wanted, sizeof wanted, "[%6d]", tid);
        expect("[%.6n]", wanted);
        snprintf(wanted, sizeof wanted, "[%06d]", tid);
        expect("[%0.6n]", wanted);
        expect("[%0.6{thread_num}]", wanted);
        snprintf(wanted, sizeof wanted, "[%d:%d/%3d]", tid, tid, omp_get_num_threads());
        expect("[%n:%{thread_num}/%.3N]", wanted);
    }
    return verdict();
}
