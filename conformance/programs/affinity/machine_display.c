// What is displayed of threads on a machine that is not there: the CPUs of their places.
// OpenMP 5.1, 6.13, 6.14
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
#include "machine.h"

int main(int argc, char **argv) {
    if (argc > 1) {
#pragma omp parallel for ordered schedule(static, 1)
        for (int i = 0; i < omp_get_num_threads(); i++) {
            char text[64];
            omp_capture_affinity(text, sizeof text, "%n {%.8A}\n");
#pragma omp ordered
            printf("%s", text);
        }
        return 0;
    }
    (void)argv;
    machine_begin("0-15");
    machine_run("all", "0 {    0-15}\n", NULL, "OMP_NUM_THREADS=1", NULL);
    machine_run("all", "0 {     0-3}\n1 {   4,6-8}\n", NULL, "OMP_NUM_THREADS=2", "OMP_PLACES={0:4},{4,6:3}", NULL);
    machine_end();
    return verdict();
}
