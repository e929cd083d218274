// The unwinder of the C library's companions (_Unwind_Backtrace) comes from within regions, tasks and nested regions, on the primary
// thread and on workers, through all frames of the runtime to main or to the beginning of the thread. OpenMP 5.1, 2.6
//@ libs: dl
//@ flags: -fno-optimize-sibling-calls
//@ checker: no because the tool's own frames say nothing about the runtime's
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#include "check.h"

struct walk {
    int frames, in_program;
    void *last;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument) {
    struct walk *walk = argument;
    void *at = (void *)_Unwind_GetIP(context);
    Dl_info info;
    if (!at || walk->frames > 500) return _URC_END_OF_STACK;
    walk->frames++;
    if (dladdr(at, &info)) {
        walk->last = at;
        walk->in_program += strstr(info.dli_fname, "unwinds") != NULL;
    }
    return _URC_NO_REASON;
}

// The walk from here ends in the C library, or in the program's own beginning, and passes `least` frames of the program.
static void check_stack(int least) {
    struct walk walk = {0};
    Dl_info info = {0};
    _Unwind_Backtrace(step, &walk);
    CHECK(walk.last && dladdr(walk.last, &info), "no end");
    const char *file = info.dli_fname ? info.dli_fname : "?";
    CHECK(strstr(file, "libc") || strstr(file, "unwinds"), "the stack ends in %s after %d frames", file, walk.frames);
    CHECK(walk.in_program >= least, "%d frames of the program", walk.in_program);
}

int main(void) {
    int before = 0;
    omp_set_max_active_levels(2);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            check_stack(2);
#pragma omp for schedule(dynamic) ordered
            for (int i = 0; i < 4; i++) {
#pragma omp ordered
                check_stack(2);
            }
#pragma omp critical
            check_stack(2);
#pragma omp single
            for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : before)
                check_stack(2);
#pragma omp task if (i < 0)
                check_stack(2);
            }
#pragma omp parallel num_threads(2)
            check_stack(2);
        }
#pragma omp parallel sections
        {
#pragma omp section
            check_stack(2);
#pragma omp section
            check_stack(2);
        }
    }
    return verdict();
}
