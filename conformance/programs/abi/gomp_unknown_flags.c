// What a compiler says of a construct and is not known here ends the program with a line: it could mean anything.
//@ compilers: gcc
//@ threads: 1
//@ exit: 0
//@ checker: no because the program is aborted
//@ expect-stderr: GOMP_target_ext flags 0x40 not known
//@ stock-fails: gcc because it ignores them
#include "check.h"
#include <signal.h>
#include <unistd.h>

void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, unsigned, void **, void **);
static void region(void *data) {}
static void aborted(int signal) { _exit(0); }

int main(void) {
    verdict();
    signal(SIGABRT, aborted);
    GOMP_target_ext(-1, region, 0, NULL, NULL, NULL, 0x40, NULL, NULL);
    return 1;
}
