// target update of sections with strides in two and three dimensions, all elements of the sections and no others. clang 19 loses the
// lower bound of a dimension with a stride, so those begin at 0. OpenMP 5.1, 2.1.5, 2.14.6
//@ cannot: gcc because gcc 12 has no strides in array sections
//@ devices: 1 3
#include "device.h"

static int plane[8][12], cube[4][4][6];

// What the device's elements are more than the host's.
#define MORE 1000

int main(void) {
    for (int i = 0; i < 96; i++) plane[i / 12][i % 12] = cube[i / 24][i / 6 % 4][i % 6] = i;
    int fresh = separate() ? 0 : MORE;
#pragma omp target data map(to : plane, cube)
    {
#pragma omp target
        for (int i = 0; i < 96; i++) {
            plane[i / 12][i % 12] += MORE;
            cube[i / 24][i / 6 % 4][i % 6] += MORE;
        }
#pragma omp target update from(plane[0 : 3 : 2][0 : 5 : 2])
        for (int i = 0; i < 96; i++) {
            int row = i / 12, column = i % 12;
            int in = row <= 4 && row % 2 == 0 && column <= 8 && column % 2 == 0;
            CHECK_EQ(plane[row][column], i + (in ? MORE : fresh));
        }
#pragma omp target update from(cube[0 : 2 : 2][1 : 2][0 : 2 : 2])
        for (int i = 0; i < 96; i++) {
            int x = i / 24, y = i / 6 % 4, z = i % 6;
            int in = x % 2 == 0 && (y == 1 || y == 2) && (z == 0 || z == 2);
            CHECK_EQ(cube[x][y][z], i + (in ? MORE : fresh));
        }
        FILL(plane[0], 96, -1);
#pragma omp target update to(plane[3 : 3][0 : 5 : 2])
        FILL(plane[0], 96, 0);
#pragma omp target update from(plane)
        for (int i = 0; i < 96 && separate(); i++) {
            int in = i / 12 >= 3 && i / 12 <= 5 && i % 12 <= 8 && i % 2 == 0;
            CHECK_EQ(plane[i / 12][i % 12], in ? -1 : i + MORE);
        }
    }
    return verdict();
}
