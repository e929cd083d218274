// All threads of a team run target regions at the same time, each with its own data and with shared data. OpenMP 5.1, 2.14.5
//@ devices: 1 3
//@ threads: 1 8 16
#include "device.h"

#define ROUNDS 40

int main(void) {
    int table[100], wrong = 0;
    for (int i = 0; i < 100; i++) table[i] = i;
#pragma omp target data map(to : table)
#pragma omp parallel reduction(+ : wrong)
    {
        int me = omp_get_thread_num(), device = omp_get_num_devices() ? me % omp_get_num_devices() : 0;
        for (int round = 0; round < ROUNDS; round++) {
            int in = me * 1000 + round, out[10], sum = 0;
#pragma omp target map(to : in) map(from : out, sum)
            {
                sum = 0;
                for (int i = 0; i < 100; i++) sum += table[i];
                for (int i = 0; i < 10; i++) out[i] = in + i;
            }
            wrong += sum != 4950;
            for (int i = 0; i < 10; i++) wrong += out[i] != in + i;
#pragma omp target map(to : in) map(from : out) device(device)
            for (int i = 0; i < 10; i++) out[i] = in - i;
            for (int i = 0; i < 10; i++) wrong += out[i] != in - i;
        }
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}
