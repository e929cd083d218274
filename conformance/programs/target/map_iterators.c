// Iterators in a map clause: a list item for each of their values. OpenMP 6.0, 5.2.6
//@ compilers: offload
//@ needs: offload 23
//@ flags: -fopenmp-version=60
//@ devices: 1 3
#include "device.h"

enum { ROWS = 3, WIDTH = 8 };

int main(void) {
    int text[ROWS][WIDTH], *rows[ROWS];
    for (int row = 0; row < ROWS; row++) {
        rows[row] = text[row];
        for (int i = 0; i < WIDTH; i++) text[row][i] = 10 * row + i;
    }
    // Rows are mapped as the pointers to them come; the others are left alone.
#pragma omp target map(iterator(it = 0 : 2), tofrom : rows[it][0 : WIDTH]) map(to : rows)
    for (int row = 0; row < 2; row++) rows[row][row]++;
    CHECK_EQ(text[0][0], 1);
    CHECK_EQ(text[1][1], 12);
    CHECK_EQ(text[2][2], 22);
    return verdict();
}
