// Which places the threads of teams of many sizes get on a machine of 8 cores, under each policy, at both nesting levels.
// OpenMP 5.1, 2.6.2
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "nested") == 0) {
#pragma omp parallel num_threads(2)
        {
            int inner[2];
#pragma omp parallel num_threads(2)
            inner[omp_get_thread_num()] = omp_get_place_num();
#pragma omp critical
            if (inner[1] < 0) exit(3);
            for (int turn = 0; turn < 2; turn++) {
                if (turn == omp_get_thread_num()) printf("%d: %d %d\n", turn, inner[0], inner[1]);
#pragma omp barrier
            }
        }
        return 0;
    }
    if (argc > 1) return print_team(atoi(argv[1])), 0;
    machine_begin("0-7");
    const char *primary = "OMP_PROC_BIND=primary", *close = "OMP_PROC_BIND=close", *spread = "OMP_PROC_BIND=spread";
    machine_run("3", "0:0+8 0:0+8 0:0+8", NULL, primary, NULL);
    machine_run("3", "0:0+8 1:0+8 2:0+8", NULL, close, NULL);
    machine_run("10", "0:0+8 0:0+8 1:0+8 1:0+8 2:0+8 3:0+8 4:0+8 5:0+8 6:0+8 7:0+8", NULL, close, NULL);
    machine_run("16", "0:0+8 0:0+8 1:0+8 1:0+8 2:0+8 2:0+8 3:0+8 3:0+8 4:0+8 4:0+8 5:0+8 5:0+8 6:0+8 6:0+8 7:0+8 7:0+8", NULL, close, NULL);
    machine_run("1", "0:0+8", NULL, spread, NULL);
    machine_run("2", "0:0+4 4:4+4", NULL, spread, NULL);
    machine_run("3", "0:0+3 3:3+3 6:6+2", NULL, spread, NULL);
    machine_run("8", "0:0+1 1:1+1 2:2+1 3:3+1 4:4+1 5:5+1 6:6+1 7:7+1", NULL, spread, NULL);
    machine_run("9", "0:0+1 0:0+1 1:1+1 2:2+1 3:3+1 4:4+1 5:5+1 6:6+1 7:7+1", NULL, spread, NULL);
    machine_run("4", "0:0+3 0:0+3 1:0+3 2:0+3", NULL, close, "OMP_PLACES=threads(3)", NULL);
    machine_run("nested", "0: 0 2\n1: 4 6\n", NULL, "OMP_PROC_BIND=spread,spread", NULL);
    machine_run("nested", "0: 0 1\n1: 4 5\n", NULL, "OMP_PROC_BIND=spread,close", NULL);
    machine_run("nested", "0: 0 1\n1: 1 2\n", NULL, "OMP_PROC_BIND=close,close", NULL);
    machine_run("nested", "0: 0 0\n1: 4 4\n", NULL, "OMP_PROC_BIND=spread,primary", NULL);
    machine_end();
    return verdict();
}
