// A machine of 1024 CPUs: 8 sockets of 64 cores of 2 threads.
// OpenMP 5.1, 6.5
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

static int core(int cpu) { return cpu % 512; }
static int socket(int cpu) { return cpu % 512 / 64; }

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "count") == 0) return printf("%d %d", omp_get_num_places(), omp_get_num_procs()), 0;
    if (argc > 1) return print_places(), 0;
    machine_begin("0-1023");
    machine_shared(1024, "topology/core_cpus_list", core);
    machine_shared(1024, "topology/package_cpus_list", socket);
    machine_run("count", "512 1024", NULL, "OMP_PLACES=cores", NULL);
    machine_run("count", "1024 1024", NULL, "OMP_PLACES=threads", NULL);
    machine_run("count", "8 1024", NULL, "OMP_PLACES=sockets", NULL);
    machine_run("places", "0,512 64,576 1000 1023", NULL, "OMP_PLACES={0,512},{64,576},{1000},{1023}", NULL);
    machine_run("count", "1 64", NULL, "OMP_PLACES=sockets", "KMP_HW_SUBSET=1s,1t", NULL);
    machine_end();
    return verdict();
}
