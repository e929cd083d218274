// Target data, enter data, exit data, update, and the device addresses of variables: on the host there is one data environment.
// OpenMP 5.1, 2.14.2-4, 2.14.6
//@ needs: gcc 10
#include "check.h"

int main(void) {
    int array[50], scalar = 1;
    for (int i = 0; i < 50; i++) array[i] = i;
#pragma omp target data map(tofrom : array) map(to : scalar)
    {
#pragma omp target
        for (int i = 0; i < 50; i++) array[i] += 1;
#pragma omp target update from(array[0 : 25])
        CHECK_EQ(array[24], 25);
        array[0] = 77;
#pragma omp target update to(array[0 : 1]) if (scalar)
        int seen = 0;
#pragma omp target map(from : seen)
        seen = array[0];
        CHECK_EQ(seen, 77);
#pragma omp target data map(alloc : array[10 : 5])
        {
#pragma omp target map(array[10 : 5])
            array[12] = -12;
        }
    }
    CHECK_EQ(array[49], 50);
    CHECK_EQ(array[12], -12);

    int *pointer = array;
#pragma omp target data map(tofrom : array) use_device_ptr(pointer)
    CHECK(pointer == array, "another address for the host's own memory");
#pragma omp target data map(tofrom : array) use_device_addr(array)
    CHECK(&array[0] == pointer, "another address for the host's own memory");

#pragma omp target enter data map(to : array)
#pragma omp target map(tofrom : array)
    array[1] = 11;
#pragma omp target exit data map(from : array)
    CHECK_EQ(array[1], 11);
#pragma omp target enter data map(alloc : scalar) device(omp_get_initial_device())
#pragma omp target exit data map(delete : scalar)
    CHECK_EQ(scalar, 1);

#pragma omp parallel
    CHECK_EQ(omp_get_level(), 1);
    return verdict();
}
