// What the programs about OMP_DISPLAY_AFFINITY share: the program's output goes to a file, whose new lines are counted.
#ifndef AFFINITY_SHOWN_H
#define AFFINITY_SHOWN_H

#include <string.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

static int shown_out, shown_err, shown_file;
static off_t shown_seen;

// From now on both output streams go to a file: one runtime displays on the one, another on the other.
static inline void catch_output(void) {
    char name[256];
    scratch_template(name, sizeof name, "shown");
    fflush(NULL);
    shown_file = mkstemp(name);
    if (shown_file < 0) perror(name), exit(1);
    unlink(name);
    shown_out = dup(1);
    shown_err = dup(2);
    dup2(shown_file, 1);
    dup2(shown_file, 2);
}

// The lines since the last call that begin with `SHOWN`; their text is kept in `shown_text`.
static char shown_text[65536];
static inline int new_lines(void) {
    fflush(NULL);
    off_t end = lseek(shown_file, 0, SEEK_END);
    ssize_t got = pread(shown_file, shown_text, sizeof shown_text - 1, shown_seen);
    shown_text[got > 0 ? got : 0] = 0;
    shown_seen = end;
    lseek(shown_file, 0, SEEK_END);
    int lines = 0;
    for (const char *at = shown_text; (at = strstr(at, "SHOWN")) != NULL; at++) lines++;
    return lines;
}

// The output goes where it went before.
static inline void release_output(void) {
    fflush(NULL);
    dup2(shown_out, 1);
    dup2(shown_err, 2);
}

#endif
