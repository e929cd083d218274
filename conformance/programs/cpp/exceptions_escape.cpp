// An exception that leaves a region, a loop, a task, a critical section, a single region or a section ends the program by
// std::terminate, as every runtime has it; the terminate handler still runs. Each case in a child. OpenMP 5.1, 2.6 (restrictions)
//@ checker: no because the children would write over the parent's report
//@ threads: 1 2 8
#include <csignal>
#include <exception>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

[[gnu::noinline]] static void throws(int i) {
    if (i == 3) throw std::runtime_error("escapes");
}

static void escape(int place) {
    switch (place) {
    case 0:
#pragma omp parallel
        throws(3);
        break;
    case 1:
#pragma omp parallel for
        for (int i = 0; i < 8; i++) throws(i);
        break;
    case 2:
#pragma omp parallel
#pragma omp single
#pragma omp task
        throws(3);
        break;
    case 3:
#pragma omp parallel
#pragma omp critical
        throws(3);
        break;
    case 4:
#pragma omp parallel
#pragma omp single
        throws(3);
        break;
    case 5:
#pragma omp parallel sections
        {
#pragma omp section
            throws(1);
#pragma omp section
            throws(3);
        }
        break;
    case 6:
#pragma omp parallel for schedule(dynamic) ordered
        for (int i = 0; i < 8; i++) {
#pragma omp ordered
            throws(i);
        }
        break;
    case 7:
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
        for (int i = 0; i < 8; i++) throws(i);
        break;
    default: break;
    }
}

static void last_words() {
    // Only when std::terminate was called for the exception, and not for something else.
    try {
        std::rethrow_exception(std::current_exception());
    } catch (const std::runtime_error &error) {
        _exit(40);
    } catch (...) {
    }
    _exit(41);
}

int main() {
    for (int place = 0; place < 8; place++) {
        for (int handler = 0; handler < 2; handler++) {
            pid_t child = fork();
            if (child == 0) {
                alarm(20);
                fclose(stderr);
                if (handler) std::set_terminate(last_words);
                try {
                    escape(place);
                } catch (...) {
                    _exit(42);
                }
                _exit(43);
            }
            int status = -1;
            waitpid(child, &status, 0);
            if (handler) CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 40, "place %d: status %x", place, status);
            else CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "place %d: status %x", place, status);
        }
    }
    return verdict();
}
