// For programs that a debugger looks at: threads that sleep until they are let go, and waiting until all others sleep, so that
// what the debugger sees does not depend on time. Programs run with OMP_WAIT_POLICY=passive.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int gate[2];

// Before the first region.
__attribute__((unused)) static void make_gate(void)
{
    if (pipe(gate) != 0)
        exit(1);
}

// Sleeps until somebody opens the gate.
__attribute__((noinline, unused)) static void wait_at_gate(void)
{
    char byte;
    if (read(gate[0], &byte, 1) != 1)
        exit(1);
}

// Lets one thread go.
__attribute__((unused)) static void open_gate(void)
{
    if (write(gate[1], "", 1) != 1)
        exit(1);
}

static int state_of(const char *thread)
{
    char path[64], name[32], state = 'R';
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%*d (%31[^)]) %c", name, &state) != 2)
            state = 'R';
        fclose(file);
    }
    return state;
}

static int others_sleep(int others)
{
    int asleep = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *one; (one = readdir(threads));)
        asleep += one->d_name[0] != '.' && atoi(one->d_name) != syscall(SYS_gettid) && state_of(one->d_name) == 'S';
    closedir(threads);
    return asleep == others;
}

// Waits until this many other threads, which is all of them, sleep and do not wake.
__attribute__((unused)) static void others_rest(int others)
{
    for (int looks = 0; looks < 10; looks++) {
        usleep(5000);
        if (!others_sleep(others))
            looks = 0;
    }
}
