// Abstract places on a machine of 2 sockets of 2 NUMA domains of 4 cores of 2 threads, some of which are off.
// OpenMP 5.1, 6.5
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

static int core(int cpu) { return cpu % 16; }
static int domain(int cpu) { return cpu % 16 / 4; }
static int socket(int cpu) { return cpu % 16 / 8; }

static void places(const char *value, const char *wanted) {
    char variable[128];
    snprintf(variable, sizeof variable, "OMP_PLACES=%s", value);
    machine_run("places", wanted, NULL, variable, NULL);
}

int main(int argc, char **argv) {
    if (argc > 1) return print_places(), 0;
    (void)argv;
    machine_begin("0-31");
    machine_shared(32, "topology/core_cpus_list", core);
    machine_shared(32, "topology/package_cpus_list", socket);
    machine_cache(32, 0, 1, core);
    machine_cache(32, 3, 3, socket);
    for (int number = 0; number < 4; number++) {
        char name[64], list[64];
        snprintf(name, sizeof name, "sys/devices/system/node/node%d/cpulist", number);
        snprintf(list, sizeof list, "%d-%d,%d-%d", 4 * number, 4 * number + 3, 4 * number + 16, 4 * number + 19);
        machine_file(name, list);
        CHECK_EQ(domain(4 * number), number);
    }
    places("cores(3)", "0,16 1,17 2,18");
    places("Threads ( 4 )", "0 16 1 17");
    // Every so many-th of them, since OpenMP 6.0 (4.1.6).
    places("threads(3:8)", "0 4 8");
    places("cores(9:5)", "0,16 5,21 10,26 15,31");
    places("numa_domains", "0,1,2,3,16,17,18,19 4,5,6,7,20,21,22,23 8,9,10,11,24,25,26,27 12,13,14,15,28,29,30,31");
    places("sockets(1)", "0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23");
    places("ll_caches(9)", "0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23 8,9,10,11,12,13,14,15,24,25,26,27,28,29,30,31");
    places("{0:2:16}:3:4,!{4,20},{31}", "0,16 8,24 31");
    machine_run("places", "0,16 1,17 2,18 3,19 4,20 5,21 6,22 7,23 8,24 9,25 10,26 11,27 12,28 13,29 14,30 15,31", NULL,
                "OMP_PROC_BIND=close", NULL);
    machine_run("places", "", NULL, "OMP_PROC_BIND=false", NULL);

    // Some are off, and some are not for this process.
    machine_file("sys/devices/system/cpu/online", "0-2,4-31");
    machine_file("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-7,12-19");
    places("cores", "0,16 1,17 2,18 19 4 5 6 7 12 13 14 15");
    places("numa_domains", "0,1,2,16,17,18,19 4,5,6,7 12,13,14,15");
    machine_run("places", "0 2", "CPU 3 is not available", "OMP_PLACES={0},{2:2},{3}", NULL);
    machine_end();
    return verdict();
}
