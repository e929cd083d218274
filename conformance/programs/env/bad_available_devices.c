// A trait that devices cannot be selected by: one line, and all devices are available. OpenMP 6.0, 4.3.7
//@ env: OMP_AVAILABLE_DEVICES=kind(host)
//@ expect-stderr: OMP_AVAILABLE_DEVICES kind(host) traits of devices; using all
#include "check.h"

int main(void) {
    CHECK(omp_get_num_devices() >= 0, "%d", omp_get_num_devices());
    return verdict();
}
