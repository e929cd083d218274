// target update of sections with strides whose dimensions begin after 0, also of elements of one byte. OpenMP 5.1, 2.1.5, 2.14.6
//@ devices: 1 3
//@ needs: offload 23
//@ cannot: gcc because gcc 12 has no strides in array sections
#include "device.h"

static int numbers[8][12];
static char bytes[8][12];

int main(void) {
    for (int i = 0; i < 96; i++) numbers[i / 12][i % 12] = bytes[i / 12][i % 12] = (char)i;
#pragma omp target data map(to : numbers, bytes)
    {
#pragma omp target
        for (int i = 0; i < 96; i++) numbers[i / 12][i % 12] = bytes[i / 12][i % 12] = -1;
        if (!separate())
            for (int i = 0; i < 96; i++) numbers[i / 12][i % 12] = bytes[i / 12][i % 12] = (char)i;
#pragma omp target update from(numbers[1 : 3 : 2][1 : 3 : 3], bytes[1 : 3 : 2][1 : 3 : 3])
        for (int i = 0; i < 96 && separate(); i++) {
            int row = i / 12, column = i % 12;
            int in = row % 2 == 1 && row <= 5 && column % 3 == 1 && column <= 7;
            CHECK_EQ(numbers[row][column], in ? -1 : i);
            CHECK_EQ(bytes[row][column], in ? -1 : i);
        }
    }
    return verdict();
}
