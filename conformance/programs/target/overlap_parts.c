// Parts of one array mapped apart from each other, side by side, and released in another order. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
#include "device.h"

#define PARTS 16
#define LENGTH 50

int main(void) {
    int *a = malloc(PARTS * LENGTH * sizeof *a);
    for (int i = 0; i < PARTS * LENGTH; i++) a[i] = i;
    for (int k = 0; k < PARTS; k++) {
        int part = k * 7 % PARTS;
#pragma omp target enter data map(to : a[part * LENGTH : LENGTH])
    }
    for (int part = 0; part < PARTS; part++) {
        int *p = a + part * LENGTH;
#pragma omp target
        for (int i = 0; i < LENGTH; i++) p[i] = -p[i];
    }
    for (int k = 0; k < PARTS; k++) {
        int part = k * 5 % PARTS;
#pragma omp target exit data map(from : a[part * LENGTH : LENGTH])
    }
    for (int i = 0; i < PARTS * LENGTH; i++) CHECK_EQ(a[i], -i);
    free(a);
    return verdict();
}
