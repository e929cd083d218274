// ordered loops in target regions, and doacross dependences. OpenMP 5.1, 2.19.9
//@ devices: 1 3
#include "device.h"

int main(void) {
    int order[60], place = 0, cells[6][6];
#pragma omp target parallel for ordered schedule(dynamic, 2) num_threads(3) map(from : order) map(tofrom : place)
    for (int i = 0; i < 60; i++) {
#pragma omp ordered
        order[place++] = i;
    }
    CHECK_EQ(place, 60);
    for (int i = 0; i < 60; i++) CHECK_EQ(order[i], i);
#pragma omp target map(from : cells)
#pragma omp parallel for ordered(2) num_threads(3)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            cells[i][j] = 1 + (i > 0 ? cells[i - 1][j] : 0) + (j > 0 ? cells[i][j - 1] : 0);
#pragma omp ordered depend(source)
        }
    CHECK_EQ(cells[0][5], 6);
    CHECK_EQ(cells[2][2], 19);
    CHECK_EQ(cells[5][5], 923);
    return verdict();
}
