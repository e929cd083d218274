// omp_control_tool answers whether there is a tool, and what it says, at any time and on every thread; commands of the program's own
// are passed on. OpenMP 5.1, 3.14
#include "check.h"

// gcc's library and header know nothing of it.
#ifndef __clang__
extern int omp_control_tool(int command, int modifier, void *argument) __attribute__((weak));
enum { omp_control_tool_start = 1, omp_control_tool_pause = 2, omp_control_tool_flush = 3 };
enum { omp_control_tool_notool = -2, omp_control_tool_ignored = 1 };
#endif

enum { OWN_COMMAND = 64 };

static int known(int answer) { return answer >= omp_control_tool_notool && answer <= omp_control_tool_ignored; }

int main(void) {
#ifndef __clang__
    if (!omp_control_tool) return verdict();
#endif
    int first = omp_control_tool(omp_control_tool_start, 0, NULL);
    CHECK(known(first), "%d", first);
#pragma omp parallel
    {
        int argument = 5;
        CHECK_EQ(omp_control_tool(omp_control_tool_pause, 0, &argument), first);
        CHECK_EQ(argument, 5);
#pragma omp critical
        CHECK_EQ(omp_control_tool(omp_control_tool_start, 0, &argument), first);
    }
    CHECK_EQ(omp_control_tool(omp_control_tool_flush, 0, NULL), first);
    int own = omp_control_tool(OWN_COMMAND, 3, NULL);
    CHECK(known(own), "%d", own);
    return verdict();
}
