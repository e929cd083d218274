// omp_capture_affinity: each field by its short and its long name, in nested regions.
// OpenMP 5.1, 3.3.11, 6.14, table 6.3
//@ env: OMP_MAX_ACTIVE_LEVELS=2
//@ threads: 1 2 3 8
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "check.h"

static void expect(const char *format, const char *wanted) {
    char text[256];
    size_t length = omp_capture_affinity(text, sizeof text, format);
    CHECK(strcmp(text, wanted) == 0, "%s gave '%s', expected '%s'", format, text, wanted);
    CHECK_EQ(length, strlen(wanted));
}

static void expect_number(const char *name, const char *letter, int wanted) {
    char format[64], text[64];
    snprintf(text, sizeof text, "<%d>", wanted);
    snprintf(format, sizeof format, "<%%{%s}>", name);
    expect(format, text);
    snprintf(format, sizeof format, "<%%%s>", letter);
    expect(format, text);
}

static void check_all(void) {
    char host[256], text[64];
    expect_number("team_num", "t", omp_get_team_num());
    expect_number("num_teams", "T", omp_get_num_teams());
    expect_number("nesting_level", "L", omp_get_level());
    expect_number("thread_num", "n", omp_get_thread_num());
    expect_number("num_threads", "N", omp_get_num_threads());
    if (omp_get_level() > 0) expect_number("ancestor_tnum", "a", omp_get_ancestor_thread_num(omp_get_level() - 1));
    expect_number("process_id", "P", getpid());
    CHECK_EQ(gethostname(host, sizeof host), 0);
    expect("%H", host);
    expect("%{host}", host);
    CHECK(omp_capture_affinity(text, sizeof text, "%i") > 0, "a thread has an identifier");
    CHECK(omp_capture_affinity(text, sizeof text, "%{native_thread_id}") > 0, "a thread has an identifier");
    CHECK(omp_capture_affinity(text, sizeof text, "%A") > 0, "a thread has processors");
}

int main(void) {
    check_all();
#pragma omp parallel
    {
        check_all();
#pragma omp parallel num_threads(2)
        check_all();
    }
    return verdict();
}
