// A pipeline over blocks: read by the host, sent, computed on a device, fetched, written by the host, all overlapping.
// OpenMP 5.1, 2.14, 2.19.11
//@ devices: 1 3
#include "device.h"

#define BLOCKS 24
#define LENGTH 500
#define SLOTS 3

int main(void) {
    static int in[SLOTS][LENGTH], out[SLOTS][LENGTH];
    long total = 0;
    char slots[SLOTS];
#pragma omp parallel
#pragma omp single
    {
        for (int s = 0; s < SLOTS; s++) {
#pragma omp target enter data map(alloc : in[s : 1], out[s : 1])
        }
        for (int block = 0; block < BLOCKS; block++) {
            int s = block % SLOTS;
#pragma omp task depend(inout : slots[s]) firstprivate(block, s)
            for (int i = 0; i < LENGTH; i++) in[s][i] = block + i;
#pragma omp target update to(in[s : 1]) nowait depend(inout : slots[s])
#pragma omp target nowait depend(inout : slots[s]) firstprivate(s) map(alloc : in[s : 1], out[s : 1])
            for (int i = 0; i < LENGTH; i++) out[s][i] = 2 * in[s][i];
#pragma omp target update from(out[s : 1]) nowait depend(inout : slots[s])
#pragma omp task depend(inout : slots[s]) firstprivate(s) shared(total)
            {
                long sum = 0;
                for (int i = 0; i < LENGTH; i++) sum += out[s][i];
#pragma omp atomic
                total += sum;
            }
        }
#pragma omp taskwait
        for (int s = 0; s < SLOTS; s++) {
#pragma omp target exit data map(delete : in[s : 1], out[s : 1])
        }
    }
    long want = 0;
    for (int block = 0; block < BLOCKS; block++)
        for (int i = 0; i < LENGTH; i++) want += 2 * (block + i);
    CHECK_EQ(total, want);
    (void)slots;
    return verdict();
}
