// target update of strided sections whose last step would end where the next row begins. OpenMP 5.1, 2.1.5, 2.14.6
//@ cannot: gcc because gcc 12 has no strides in array sections
//@ devices: 1 3
//@ stock-fails: offload because it takes such rows for one contiguous piece
#include "device.h"

int main(void) {
    short plane[8][12];
    for (int i = 0; i < 96; i++) plane[i / 12][i % 12] = i;
    int fresh = separate() ? 0 : 1000;
#pragma omp target data map(to : plane)
    {
#pragma omp target
        for (int i = 0; i < 96; i++) plane[i / 12][i % 12] += 1000;
#pragma omp target update from(plane[5 : 2][0 : 3 : 4])
        for (int i = 0; i < 96; i++) {
            int in = (i / 12 == 5 || i / 12 == 6) && i % 4 == 0;
            CHECK_EQ(plane[i / 12][i % 12], i + (in ? 1000 : fresh));
        }
#pragma omp target update from(plane[0 : 2][0 : 6 : 2])
        for (int i = 0; i < 24; i++) CHECK_EQ(plane[i / 12][i % 12], i + (i % 2 == 0 ? 1000 : fresh));
    }
    return verdict();
}
