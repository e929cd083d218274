// Machines that are not there: folders in the shape of `/`, which ferromp reads where FERROMP_FSROOT names one. A program writes the
// folder, then runs itself once for each case, with an environment of its own, and compares what that run says.
#ifndef AFFINITY_MACHINE_H
#define AFFINITY_MACHINE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ftw.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

static char machine_root[256];

// Writes a file below the root, with the folders above it.
static inline void machine_file(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", machine_root, name);
    for (char *slash = path + strlen(machine_root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = 0;
        mkdir(path, 0755);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    CHECK(file != NULL, "%s", path);
    if (file == NULL) exit(1);
    fprintf(file, "%s\n", text);
    fclose(file);
}

// Begins a machine of which all of `online` are on.
static inline void machine_begin(const char *online) {
    scratch_template(machine_root, sizeof machine_root, "machine");
    CHECK(mkdtemp(machine_root) != NULL, "%s", machine_root);
    machine_file("sys/devices/system/cpu/online", online);
}

// A list that each CPU has among its files: which CPUs are in its group. `group` gives the number of a CPU's group.
static inline void machine_shared(int cpus, const char *file, int (*group)(int)) {
    for (int cpu = 0; cpu < cpus; cpu++) {
        char name[128], list[8192] = "";
        int length = 0;
        for (int other = 0; other < cpus; other++)
            if (group(other) == group(cpu)) length += sprintf(list + length, length ? ",%d" : "%d", other);
        snprintf(name, sizeof name, "sys/devices/system/cpu/cpu%d/%s", cpu, file);
        machine_file(name, list);
    }
}

// A cache of each CPU.
static inline void machine_cache(int cpus, int index, int level, int (*group)(int)) {
    char file[64];
    snprintf(file, sizeof file, "cache/index%d/shared_cpu_list", index);
    machine_shared(cpus, file, group);
    for (int cpu = 0; cpu < cpus; cpu++) {
        char name[128], text[8];
        snprintf(name, sizeof name, "sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
        snprintf(text, sizeof text, "%d", level);
        machine_file(name, text);
    }
}

static inline int machine_remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

// Ends a machine.
static inline void machine_end(void) { nftw(machine_root, machine_remove_one, 16, FTW_DEPTH | FTW_PHYS); }

// Runs this program again, with one argument, on the machine, with a null-terminated list of NAME=value. What it prints must be
// `wanted`; on standard error, one line that holds `complaint`, or nothing where that is null.
static inline void machine_run(const char *argument, const char *wanted, const char *complaint, ...) {
    int out[2], err[2];
    CHECK(pipe(out) == 0 && pipe(err) == 0, "pipes");
    char root[128], shown[1024] = "";
    snprintf(root, sizeof root, "FERROMP_FSROOT=%s", machine_root);
    char *environment[24] = {root, "OMP_WAIT_POLICY=passive"};
    int count = 2;
    for (const char *name = "LD_LIBRARY_PATH"; name != NULL; name = NULL)
        if (getenv(name)) asprintf(&environment[count++], "%s=%s", name, getenv(name)) < 0 ? exit(1) : (void)0;
    va_list list;
    va_start(list, complaint);
    for (char *variable; (variable = va_arg(list, char *)) != NULL && count < 23;) {
        environment[count++] = variable;
        strncat(shown, variable, sizeof shown - strlen(shown) - 2);
        strcat(shown, " ");
    }
    va_end(list);
    environment[count] = NULL;
    pid_t child = fork();
    if (child == 0) {
        dup2(out[1], 1);
        dup2(err[1], 2);
        char *arguments[] = {"again", (char *)argument, NULL};
        execve("/proc/self/exe", arguments, environment);
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    char text[2][65536];
    int ends[2] = {out[0], err[0]};
    for (int stream = 0; stream < 2; stream++) {
        size_t length = 0;
        ssize_t got;
        while (length < sizeof text[stream] - 1 && (got = read(ends[stream], text[stream] + length, sizeof text[stream] - 1 - length)) > 0)
            length += got;
        text[stream][length] = 0;
        close(ends[stream]);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: the run ended with %x: %s", shown, status, text[1]);
    if (wanted) CHECK(strcmp(text[0], wanted) == 0, "%s: '%s', expected '%s'", shown, text[0], wanted);
    const char *line = strchr(text[1], '\n');
    int lines_fit = complaint ? line != NULL && line[1] == 0 && strstr(text[1], complaint) != NULL : text[1][0] == 0;
    CHECK(lines_fit, "%s: on standard error '%s', expected a line with '%s'", shown, text[1], complaint ? complaint : "(none)");
}

// Prints the place list: `0,4 1,5 …`.
static inline void print_places(void) {
    for (int place = 0; place < omp_get_num_places(); place++) {
        static int ids[8192];
        int count = omp_get_place_num_procs(place);
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; i++) printf(i ? ",%d" : place ? " %d" : "%d", ids[i]);
    }
}

// Prints where the threads of a region run: `place:first+count …` by thread number.
static inline void print_team(int threads) {
    int place[256], first[256], count[256];
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num(), nums[1024] = {-1};
        place[me] = omp_get_place_num();
        count[me] = omp_get_partition_num_places();
        omp_get_partition_place_nums(nums);
        first[me] = nums[0];
    }
    for (int i = 0; i < threads; i++) printf(i ? " %d:%d+%d" : "%d:%d+%d", place[i], first[i], count[i]);
}

#endif
