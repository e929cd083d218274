// Teams on a machine whose memory is in two NUMA domains: workers' slots and descriptors move to the workers' domains while the
// primary thread uses them. LeakSanitizer, for which this program stands, is told of their pages. OpenMP 5.1, 2.6, 6.4
//@ stock-fails: gcc because libgomp cannot be shown another machine
//@ stock-fails: clang because libomp cannot be shown another machine
//@ checker: no because the program runs itself with environments of its own
//@ threads: 1
//@ flags: -rdynamic
#include "machine.h"

#include <stdatomic.h>
#include <stdint.h>

// LeakSanitizer's function: it finds blocks that only these bytes point to.
static atomic_int regions_told;
void __lsan_register_root_region(const void *begin, size_t bytes) {
    CHECK((uintptr_t)begin % 4096 == 0 && bytes % 4096 == 0, "%p, %zu bytes", begin, bytes);
    regions_told++;
}

// What teams of several sizes add up, with regions inside, and with tasks.
static int sums(void) {
    int sum = 0;
    for (int threads = 1; threads <= 16; threads += 3) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        {
            sum += omp_get_thread_num();
#pragma omp barrier
#pragma omp single
            for (int i = 0; i < 20; i++) {
#pragma omp task
                {
#pragma omp atomic
                    sum++;
                }
            }
            if (omp_get_thread_num() % 5 == 0) {
                int inner = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner)
                if (omp_get_thread_num() == 0) inner += 6;
                sum += inner;
            }
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        int sum = sums();
        // Each of 15 workers has a slot and a descriptor.
        return printf("%d, %s", sum, regions_told >= 30 ? "all told" : "pages not told"), corpus_failures != 0;
    }
    machine_begin("0-15");
    machine_file("sys/devices/system/node/has_memory", "0-1");
    machine_file("sys/devices/system/node/node0/cpulist", "0-7");
    machine_file("sys/devices/system/node/node1/cpulist", "8-15");
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%d, all told", sums());
    for (int i = 0; i < 3; i++) {
        machine_run("sums", wanted, NULL, NULL);
        machine_run("sums", wanted, NULL, "OMP_PROC_BIND=spread", "OMP_PLACES=cores", "OMP_MAX_ACTIVE_LEVELS=2", NULL);
        machine_run("sums", wanted, NULL, "OMP_PROC_BIND=close", "OMP_MAX_ACTIVE_LEVELS=2", "KMP_HOT_TEAMS_MAX_LEVEL=1", NULL);
    }
    machine_end();
    return verdict();
}
