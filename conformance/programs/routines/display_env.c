// omp_display_env prints the initial ICVs, whatever has been set since, between its two marks on stderr.
// OpenMP 5.1, 3.15
//@ needs: gcc 12
//@ env: OMP_SCHEDULE=dynamic,3
//@ env: OMP_THREAD_LIMIT=64
//@ threads: 2
#include "check.h"
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C"
#endif
void omp_display_env(int verbose);

static char text[16384];

static void shown(int verbose) {
    FILE *file = tmpfile();
    int saved = dup(2);
    dup2(fileno(file), 2);
    omp_display_env(verbose);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
}

// The value of a variable, with or without spaces around the sign and a device before the name.
static int has(const char *name, const char *value) {
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *rest = at + strlen(name);
        rest += strspn(rest, " ");
        if (*rest++ != '=') continue;
        rest += strspn(rest, " '");
        if (!strncasecmp(rest, value, strlen(value)) && strchr("'\n", rest[strlen(value)])) return 1;
    }
    return 0;
}

int main(void) {
    omp_set_num_threads(7);
    omp_set_schedule(omp_sched_guided, 9);
    shown(0);
    char *begin = strstr(text, "OPENMP DISPLAY ENVIRONMENT BEGIN"), *end = strstr(text, "OPENMP DISPLAY ENVIRONMENT END");
    CHECK(begin && end && begin < end, "%s", text);
    CHECK(has("OMP_SCHEDULE", "dynamic,3"), "%s", text);
    CHECK(has("OMP_NUM_THREADS", "2"), "%s", text);
    CHECK(has("OMP_THREAD_LIMIT", "64"), "%s", text);
    CHECK(has("OMP_CANCELLATION", "false"), "%s", text);
    CHECK(has("OMP_NUM_TEAMS", "0"), "%s", text);
    CHECK(has("OMP_TARGET_OFFLOAD", "default"), "%s", text);
    CHECK(!strstr(text, "KMP_BLOCKTIME"), "%s", text);
    size_t brief = strlen(text);
    shown(1);
    CHECK(strlen(text) > brief, "%s", text);
    return verdict();
}
