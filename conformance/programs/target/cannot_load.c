// The device cannot load the program's code, because the process has no file left to open: a line says so, and regions run on the host.
//@ compilers: offload
//@ checker: no because it cannot open the file of its findings
//@ devices: 1
//@ threads: 2
//@ expect-stderr: device 0 cannot load
//@ expect-stderr: device 0 run on the host
//@ stock-fails: offload because it loads the code before main
#include <sys/resource.h>
#include <unistd.h>

#include "device.h"

int main(void) {
    CHECK_EQ(omp_get_num_devices(), 1);
    int next = dup(0), x = 0, initial = 0;
    close(next);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = (rlim_t)next;
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    for (int time = 0; time < 2; time++) {
#pragma omp target map(tofrom : x) map(from : initial)
        {
            x++;
            initial = omp_is_initial_device();
        }
    }
    CHECK_EQ(x, 2);
    CHECK_EQ(initial, 1);
    return verdict();
}
