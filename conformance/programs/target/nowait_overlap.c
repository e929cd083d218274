// Target tasks that map the same variable at the same time: it is copied to once, and back when the last one lets go.
// OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
#include "device.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int table[64], out[8] = {0};
        for (int i = 0; i < 64; i++) table[i] = i + round;
        for (int k = 0; k < 8; k++) {
            int *o = &out[k];
#pragma omp target nowait map(to : table) map(from : o[0 : 1]) firstprivate(k)
            {
                o[0] = 0;
                for (int i = k; i < 64; i += 8) o[0] += table[i];
            }
        }
#pragma omp taskwait
        for (int k = 0; k < 8; k++) CHECK_EQ(out[k], 8 * k + 224 + 8 * round);
    }
    return verdict();
}
