// The device clause, on all devices one after another; each has its own copy of data and of global variables. OpenMP 5.1, 2.14.5
//@ devices: 1 3
//@ stock-fails: offload because all its devices share the variables of the program
//@ needs: gcc 12
#include "device.h"

#pragma omp declare target
int global = 1;
#pragma omp end declare target

int main(void) {
    int devices = omp_get_num_devices(), x = 0;
    for (int d = 0; d < devices; d++) {
        int number = -1, initial = -1;
#pragma omp target device(d) map(from : number, initial)
        {
            number = omp_get_device_num();
            initial = omp_is_initial_device();
            global += 10 * (number + 1);
        }
        CHECK_EQ(number, d);
        CHECK_EQ(initial, 0);
    }
    for (int d = 0; d < devices; d++) {
        int g = 0;
#pragma omp target device(d) map(from : g)
        g = global;
        CHECK_EQ(g, 1 + 10 * (d + 1));
    }
    if (devices) CHECK_EQ(global, 1);
    int initial = 0;
#pragma omp target device(omp_get_initial_device()) map(from : initial) map(tofrom : x)
    {
        initial = omp_is_initial_device();
        x++;
    }
    CHECK_EQ(initial, 1);
    CHECK_EQ(x, 1);
    int data[10];
    for (int d = 0; d < devices; d++) {
        FILL(data, 10, d);
#pragma omp target enter data map(to : data) device(d)
    }
    for (int d = devices - 1; d >= 0; d--) {
        FILL(data, 10, -1);
#pragma omp target exit data map(from : data) device(d)
        CHECK_EQ(data[9], d);
    }
    return verdict();
}
