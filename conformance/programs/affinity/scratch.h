// Where the programs of this folder put what they write: the user's folder for temporary files, else the system's.
#ifndef AFFINITY_SCRATCH_H
#define AFFINITY_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>

// A template for mkstemp or mkdtemp.
static inline void scratch_template(char *name, size_t size, const char *what) {
    const char *folder = getenv("TMPDIR");
    snprintf(name, size, "%s/affinity-%s-XXXXXX", folder != NULL && *folder != 0 ? folder : P_tmpdir, what);
}

#endif
