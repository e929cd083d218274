// Target regions where the host is the only device: variables mapped in every way are the program's own, scalars are
// firstprivate, and there is a device number for where the region runs. OpenMP 5.1, 2.14.5, 2.21.7
//@ needs: gcc 12
#include "check.h"

static int global_counter;
#pragma omp declare target
static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int total(void) {
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += table[i];
    return sum;
}
#pragma omp end declare target

typedef struct {
    int *data;
    int count;
} Vector;

int main(void) {
    int array[100], implicit[10] = {0}, scalar = 5, written = 0;
    for (int i = 0; i < 100; i++) array[i] = i;
#pragma omp target map(tofrom : array)
    for (int i = 0; i < 100; i++) array[i] *= 2;
    for (int i = 0; i < 100; i++) CHECK_EQ(array[i], 2 * i);

#pragma omp target map(from : written)
    {
        scalar++;
        implicit[3] = scalar;
        written = scalar;
    }
    CHECK_EQ(scalar, 5);
    CHECK_EQ(written, 6);
    CHECK_EQ(implicit[3], 6);

#pragma omp target map(tofrom : scalar)
    scalar++;
    CHECK_EQ(scalar, 6);

    int *section = array + 10;
#pragma omp target map(tofrom : section[5 : 20])
    for (int i = 5; i < 25; i++) section[i] = -1;
    for (int i = 0; i < 100; i++) CHECK_EQ(array[i], i >= 15 && i < 35 ? -1 : 2 * i);

    int storage[4] = {1, 2, 3, 4};
    Vector vector = {storage, 4};
#pragma omp target map(to : vector) map(tofrom : vector.data[0 : 4])
    for (int i = 0; i < vector.count; i++) vector.data[i] *= 10;
    for (int i = 0; i < 4; i++) CHECK_EQ(storage[i], 10 * (i + 1));

    int sum = 0, initial = -1, number = -1;
#pragma omp target map(from : sum, initial, number) map(tofrom : global_counter)
    {
        sum = total();
        global_counter += sum;
        initial = omp_is_initial_device();
        number = omp_get_device_num();
    }
    CHECK_EQ(sum, 36);
    CHECK_EQ(global_counter, 36);
    CHECK_EQ(initial, 1);
    CHECK_EQ(number, omp_get_initial_device());
    CHECK_EQ(omp_get_initial_device(), omp_get_num_devices());

    // Pointers to nothing.
    int *nothing = NULL, was_null = 0;
#pragma omp target map(nothing[0 : 0]) map(from : was_null)
    was_null = nothing == NULL;
    CHECK_EQ(was_null, 1);

#pragma omp parallel
    CHECK_EQ(omp_get_level(), 1);
    return verdict();
}
