// A machine of which the kernel tells only how many CPUs there are.
// OpenMP 5.1, 6.5
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

int main(int argc, char **argv) {
    if (argc > 1) return print_places(), 0;
    (void)argv;
    machine_begin("0-3");
    machine_run("places", "0 1 2 3", NULL, "OMP_PLACES=cores", NULL);
    machine_run("places", "0,1,2,3", NULL, "OMP_PLACES=sockets", NULL);
    machine_run("places", "0,1,2,3", NULL, "OMP_PLACES=numa_domains", NULL);
    machine_run("places", "0,1,2,3", "tells of no last-level caches; using sockets", "OMP_PLACES=ll_caches", NULL);
    machine_run("places", "0 1 2 3", "has no modules; using the whole machine", "OMP_PLACES=cores", "KMP_HW_SUBSET=1m", NULL);
    machine_end();
    return verdict();
}
