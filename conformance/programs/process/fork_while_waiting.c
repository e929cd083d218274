// fork() while the program's workers spin, and while they sleep: under each wait policy the program starts itself anew, and has
// children at once and some time after a region. OpenMP 5.1, 2.6, 6.7 (OMP_WAIT_POLICY)
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ threads: 2 3 8
//@ timeout: 90
#include <string.h>

#include "children.h"

static void fork_now(void) {
    pid_t child = fork();
    if (child == 0) {
        child_begins();
        int right = child_work();
        // And once more, out of the child.
        pid_t second = fork();
        if (second == 0) _exit(child_work() ? 15 : 1);
        child_ends(second, 15);
        _exit(right && !corpus_failures ? 15 : 1);
    }
    child_ends(child, 15);
}

int main(int argc, char **argv) {
    if (argc == 1) {
        const char *policies[] = {"active", "passive"};
        for (int i = 0; i < 2; i++) {
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {
                char *arguments[] = {argv[0], "again", NULL};
                setenv("OMP_WAIT_POLICY", policies[i], 1);
                execv("/proc/self/exe", arguments);
                _exit(1);
            }
            child_ends(child, 0);
        }
        return verdict();
    }
    for (int i = 0; i < 4; i++) {
        CHECK(child_work(), "in the parent");
        if (i % 2) usleep(20000);
        fork_now();
    }
    return corpus_failures != 0;
}
