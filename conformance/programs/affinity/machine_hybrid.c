// Places and subsets on a machine with two kinds of cores.
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

static int core(int cpu) { return cpu < 4 ? cpu / 2 : cpu; }
static int module(int cpu) { return cpu < 4 ? cpu / 2 : 4; }
static int one(int cpu) { return cpu & 0; }

int main(int argc, char **argv) {
    if (argc > 1) return print_places(), 0;
    (void)argv;
    machine_begin("0-7");
    machine_shared(8, "topology/core_cpus_list", core);
    machine_shared(8, "topology/package_cpus_list", one);
    machine_shared(8, "topology/cluster_cpus_list", module);
    machine_cache(8, 2, 2, module);
    machine_file("sys/devices/cpu_core/cpus", "0-3");
    machine_file("sys/devices/cpu_atom/cpus", "4-7");
    machine_run("places", "0,1 2,3 4 5 6 7", NULL, "OMP_PLACES=cores", NULL);
    machine_run("places", "0,1 2,3", NULL, "OMP_PLACES=cores:intel_core", NULL);
    machine_run("places", "4 5", NULL, "OMP_PLACES=cores:intel_atom(2)", NULL);
    machine_run("places", "4 5 6 7", NULL, "OMP_PLACES=cores:eff0", NULL);
    machine_run("places", "0,1,2,3 4,5,6,7", NULL, "OMP_PLACES=core_types", NULL);
    machine_run("places", "0,1 2,3 4,5,6,7", NULL, "OMP_PLACES=tiles", NULL);
    machine_run("places", "0 2 4 5", NULL, "OMP_PLACES=cores", "KMP_HW_SUBSET=2c:intel_core&2c:intel_atom,1t", NULL);
    machine_run("places", "5 6", NULL, "OMP_PLACES=cores", "KMP_HW_SUBSET=2c@1:eff0", NULL);
    machine_end();
    return verdict();
}
