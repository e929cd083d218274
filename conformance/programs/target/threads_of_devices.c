// Threads of a device know whose they are, in every team, and the host's threads are the host's again afterwards; a device's threads
// serve no other. OpenMP 5.1, 1.3, 3.7.5
//@ devices: 1 3
//@ stock-fails: offload because its devices' threads have the host's number
//@ needs: gcc 12
#include "device.h"

int main(void) {
    int devices = omp_get_num_devices(), host = omp_get_initial_device(), wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    for (int round = 0; round < 20; round++) {
        int d = (omp_get_thread_num() + round) % (devices + 1), bad = 0, initial = d == host;
#pragma omp target device(d) map(tofrom : bad) firstprivate(d, initial)
        {
#pragma omp parallel num_threads(3) reduction(+ : bad)
            {
                bad += (omp_get_device_num() != d) + (!omp_is_initial_device() != !initial);
            }
            bad += omp_get_device_num() != d;
        }
        wrong += bad + (omp_get_device_num() != host) + !omp_is_initial_device();
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}
