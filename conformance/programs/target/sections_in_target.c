// sections, single, masked and copyprivate in target regions. OpenMP 5.1, 2.8, 2.10.1-2
//@ devices: 1 3
#include "device.h"

int main(void) {
    int ran[3] = {0}, single = 0, copies = 0, threads = 0, master = 0;
#pragma omp target parallel num_threads(3) map(tofrom : ran, single, copies, master) map(from : threads)
    {
        int value = 0;
#pragma omp sections
        {
#pragma omp section
            ran[0]++;
#pragma omp section
            ran[1] += 2;
#pragma omp section
            ran[2] += 3;
        }
#pragma omp single copyprivate(value)
        {
            single++;
            value = 42;
            threads = omp_get_num_threads();
        }
#pragma omp atomic
        copies += value;
#pragma omp master
        master += 1;
    }
    CHECK(ran[0] == 1 && ran[1] == 2 && ran[2] == 3, "%d %d %d", ran[0], ran[1], ran[2]);
    CHECK_EQ(single, 1);
    CHECK_EQ(copies, 42 * threads);
    CHECK_EQ(master, 1);
    return verdict();
}
