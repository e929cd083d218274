// A region whose primary thread forks, a stop in the parent and one in the child, and then another program in the parent's place.
#include "rest.h"
#include <omp.h>
#include <unistd.h>
#include <sys/wait.h>

static volatile int stopped;

__attribute__((noinline)) static void stop(void)
{
    stopped++;
}

__attribute__((noinline)) static void stop_in_child(void)
{
    stopped++;
}

int main(void)
{
    stopped = 0; // A debugger's `start` stops here, before the region.
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            others_rest(2);
            pid_t child = fork();
            if (child == 0) {
                stop_in_child();
                _exit(0);
            }
            stop();
            waitpid(child, 0, 0);
        }
#pragma omp barrier
    }
    execl("/bin/true", "true", (char *)0);
    return 1;
}
