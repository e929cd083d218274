// Brings its threads into as many situations as there are: regions in regions, tasks queued, running and set aside, waits of each kind.
// Then it says where the runtime shows itself to debuggers, and stops itself.
#include <dlfcn.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static omp_lock_t lock;
static volatile int settled, never;

static void stay(void) {
    __atomic_add_fetch(&settled, 1, __ATOMIC_SEQ_CST);
    while (!never) usleep(1000);
}

static void stop(void) {
    while (settled < 6) usleep(1000);
    usleep(50000);
    printf("%lx\n", (unsigned long)dlsym(RTLD_DEFAULT, "ferromp_ompd"));
    fflush(stdout);
    raise(SIGSTOP);
}

static void generate(void) {
    static int one, other;
    for (int index = 0; index < 300; index++) {
#pragma omp task firstprivate(index) priority(index % 3)
        never += 0 * index;
    }
    for (int index = 0; index < 20; index++) {
#pragma omp task depend(inout : one) depend(in : other)
        one++;
    }
#pragma omp taskgroup
    {
#pragma omp task final(1) if (0)
        stop();
    }
}

static void wait_for_children(void) {
#pragma omp task
    {
#pragma omp task
        stay();
#pragma omp taskwait
    }
#pragma omp taskwait
}

int main(void) {
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(6)
    {
        switch (omp_get_thread_num()) {
        case 0: generate(); break;
        case 1:
#pragma omp parallel num_threads(2) proc_bind(close)
        {
            omp_set_num_threads(7);
#pragma omp parallel num_threads(3)
            stay();
        }
        break;
        case 2:
            __atomic_add_fetch(&settled, 1, __ATOMIC_SEQ_CST);
            omp_set_lock(&lock);
            break;
        case 3:
        case 4:
            __atomic_add_fetch(&settled, 1, __ATOMIC_SEQ_CST);
#pragma omp critical(narrow)
            while (!never) usleep(1000);
            break;
        default: wait_for_children();
        }
    }
    return 0;
}
