// Places on a machine of one socket with many last-level caches, dies and modules.
// OpenMP 5.1, 6.5
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

static int each(int cpu) { return cpu; }
static int pair(int cpu) { return cpu / 2; }
static int die(int cpu) { return cpu / 4; }
static int one(int cpu) { return cpu & 0; }

static void places(const char *value, const char *wanted) {
    char variable[128];
    snprintf(variable, sizeof variable, "OMP_PLACES=%s", value);
    machine_run("places", wanted, NULL, variable, NULL);
}

int main(int argc, char **argv) {
    if (argc > 1) return print_places(), 0;
    (void)argv;
    machine_begin("0-15");
    machine_shared(16, "topology/core_cpus_list", each);
    machine_shared(16, "topology/package_cpus_list", one);
    machine_shared(16, "topology/die_cpus_list", die);
    machine_shared(16, "topology/cluster_cpus_list", pair);
    machine_cache(16, 0, 1, each);
    machine_cache(16, 2, 2, each);
    machine_cache(16, 3, 3, pair);
    places("ll_caches", "0,1 2,3 4,5 6,7 8,9 10,11 12,13 14,15");
    places("ll_caches(2)", "0,1 2,3");
    places("l3_caches(2)", "0,1 2,3");
    places("dice", "0,1,2,3 4,5,6,7 8,9,10,11 12,13,14,15");
    places("modules(1)", "0,1");
    places("sockets", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
    machine_run("places", "0,1 2,3 4,5", NULL, "OMP_PLACES=ll_caches", "KMP_HW_SUBSET=1s,3L3", NULL);
    machine_end();
    return verdict();
}
