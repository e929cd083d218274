// The places of KMP_AFFINITY's types on a machine of 2 sockets of 2 cores of 2 threads.
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

static int core(int cpu) { return cpu % 4; }
static int socket(int cpu) { return cpu % 4 / 2; }

static void places(const char *value, const char *wanted) {
    char variable[128];
    snprintf(variable, sizeof variable, "KMP_AFFINITY=%s", value);
    machine_run("places", wanted, NULL, variable, NULL);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "places") != 0) return print_team(atoi(argv[1])), 0;
    if (argc > 1) return print_places(), 0;
    machine_begin("0-7");
    machine_shared(8, "topology/core_cpus_list", core);
    machine_shared(8, "topology/package_cpus_list", socket);
    places("granularity=fine,compact", "0 4 1 5 2 6 3 7");
    places("granularity=fine,scatter", "0 2 1 3 4 6 5 7");
    places("granularity=fine,compact,1", "0 1 2 3 4 5 6 7");
    places("compact", "0,4 0,4 1,5 1,5 2,6 2,6 3,7 3,7");
    places("compact,nodups", "0,4 1,5 2,6 3,7");
    places("granularity=socket,compact,nodups", "0,1,4,5 2,3,6,7");
    places("granularity=fine,proclist=[7,{0,3},1-2],explicit", "7 0,3 1 2");
    places("none", "");
    places("disabled", "");
    machine_run("3", "1:0+8 2:0+8 3:0+8", NULL, "KMP_AFFINITY=granularity=fine,compact,0,1", NULL);
    machine_run("5", "0:0+4 1:0+4 2:0+4 3:0+4 0:0+4", NULL, "KMP_AFFINITY=compact,nodups", NULL);
    machine_run("6", "0:0+4 0:0+4 1:0+4 1:0+4 2:0+4 3:0+4", NULL, "KMP_AFFINITY=balanced", NULL);
    machine_run("places", "0,4 1,5 2,6 3,7", "'granulatity=fine' is no parameter", "KMP_AFFINITY=granulatity=fine,compact,nodups", NULL);
    machine_run("places", "0 4 1 5", "ignored, as KMP_AFFINITY", "KMP_AFFINITY=granularity=fine,compact", "KMP_HW_SUBSET=1s",
                "OMP_PLACES=cores", NULL);
    machine_run("places", "0,4 1,5 2,6 3,7", NULL, "KMP_AFFINITY=granularity=fine", "OMP_PLACES=cores", NULL);
    machine_end();
    return verdict();
}
