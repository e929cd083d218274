// Where the system has no memory for what the runtime needs, the process ends with one line that says for what, and not in silence.
// Each case is a child of its own, which calls the entry point as a compiler's code does, for more than there can be.
//@ libs: dl
//@ threads: 1 2
//@ checker: no because only the children use OpenMP, and they end in the middle
//@ stock-fails: clang because libomp ends by a signal of its own choice
//@ stock-fails: gcc because libgomp lacks clang's entry points
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// Each compiler's library at hand names its own entry points alone to the linker.
#define ENTRY(name) ((name##_type)dlsym(RTLD_DEFAULT, #name))

typedef _Bool (*GOMP_loop_start_type)(long, long, long, long, long, long *, long *, uintptr_t *, void **);
typedef void *(*__kmpc_threadprivate_type)(void *, int, void *, size_t);
typedef void (*__kmpc_threadprivate_register_type)(void *, void *, void *, void *, void *);
typedef void *(*__kmpc_omp_task_alloc_type)(void *, int, int, size_t, size_t, int (*)(int, void *));
typedef int (*__kmpc_global_thread_num_type)(void *);

static int thread_number(void) {
    return ENTRY(__kmpc_global_thread_num)(0);
}

// More than a process has addresses for.
static const size_t HUGE_SIZE = (size_t)1 << 50;

static void loop(void) {
    long first, end;
    void *memory = (void *)HUGE_SIZE;
    ENTRY(GOMP_loop_start)(0, 8, 1, 2, 1, &first, &end, 0, &memory);
}

static void loop_of_a_team(void) {
#pragma omp parallel num_threads(2)
    loop();
}

static char variable[16];

static void threadprivate(void) {
#pragma omp parallel num_threads(2)
    ENTRY(__kmpc_threadprivate)(0, thread_number(), variable, HUGE_SIZE);
}

static int body(int thread, void *task) {
    (void)task;
    return thread;
}

static void task(void) {
    ENTRY(__kmpc_omp_task_alloc)(0, thread_number(), 1, HUGE_SIZE, 0, body);
}

static void boxes(void) {
    thread_number();
    __kmpc_threadprivate_register_type keep = ENTRY(__kmpc_threadprivate_register);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_AS, &none);
    for (uintptr_t place = 64;; place += 64) keep(0, (void *)place, 0, 0, 0);
}

static void expect_line(const char *what, void (*use)(void)) {
    int ends[2];
    CHECK(pipe(ends) == 0, "no pipe");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        // No core file of a process that ends as it should.
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        use();
        _exit(0);
    }
    close(ends[1]);
    char said[4096] = "";
    size_t length = 0;
    for (ssize_t got; length < sizeof said - 1 && (got = read(ends[0], said + length, sizeof said - 1 - length)) > 0;) length += got;
    close(ends[0]);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child, "no child");
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s: status %x", what, status);
    char *end = strchr(said, '\n');
    CHECK(end && !end[1], "%s: not one line: '%s'", what, said);
    CHECK(!strncmp(said, "ferromp: no memory for ", 23) && strstr(said, what), "%s: said '%s'", what, said);
    CHECK(strstr(said, "; aborting\n"), "%s: said '%s'", what, said);
}

int main(void) {
    expect_line("threads of a work-sharing construct", loop_of_a_team);
    // The first thing that is wanted of it is what its copies begin with.
    expect_line("own data", threadprivate);
    expect_line("explicit task", task);
    expect_line("own data", boxes);
    return verdict();
}
