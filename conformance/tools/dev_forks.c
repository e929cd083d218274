// Forks while other threads keep a device busy: `dev_forks [children]`. Each child uses the device itself, and ends as programs do.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int add(int x) {
#pragma omp target map(tofrom : x)
    x++;
    return x;
}

int main(int argc, char **argv) {
    int children = argc > 1 ? atoi(argv[1]) : 1, failed = 0;
    volatile int through = 0;
    long sum = 0;
    add(0);
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) {
            for (int child = 0; child < children; child++) {
                fflush(stdout);
                pid_t pid = fork();
                if (pid == 0) {
                    int right = 1;
                    for (int i = 0; i < 20; i++) right &= add(i) == i + 1;
                    // Not through the tool's standard output, which is the parent's.
                    fclose(stdout);
                    exit(right ? 0 : 1);
                }
                int status = -1;
                failed += pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
            }
            __atomic_store_n(&through, 1, __ATOMIC_RELEASE);
        } else {
            for (int i = 0; i < 100 || !__atomic_load_n(&through, __ATOMIC_ACQUIRE); i++) sum += add(i) == i + 1 ? 0 : 1;
        }
    }
    printf("done %d\n", failed == 0 && sum == 0);
    return 0;
}
