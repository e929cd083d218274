// Arrays of structures, whole and in parts, and pointers in their elements attached one by one. OpenMP 5.1, 2.21.7.1-2
//@ devices: 1 3
//@ needs: gcc 12
#include "device.h"

#define N 12

struct item {
    int n;
    int *data;
};

int main(void) {
    struct item items[N];
    int *data[N];
    for (int i = 0; i < N; i++) {
        items[i] = (struct item){i + 1, data[i] = malloc((i + 1) * sizeof(int))};
        FILL(items[i].data, i + 1, i);
    }
#pragma omp target enter data map(to : items)
    for (int i = 0; i < N; i++) {
#pragma omp target enter data map(to : items[i].data[0 : items[i].n])
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < items[i].n; j++) items[i].data[j] += 100 * j;
    for (int i = 0; i < N; i++) {
#pragma omp target exit data map(from : items[i].data[0 : items[i].n])
    }
#pragma omp target exit data map(release : items)
    for (int i = 0; i < N; i++) {
        CHECK(items[i].data == data[i], "the host's pointer %d has changed", i);
        for (int j = 0; j <= i; j++) CHECK_EQ(data[i][j], i + 100 * j);
        free(data[i]);
    }
    struct item some[6] = {{0, NULL}};
#pragma omp target map(tofrom : some[2 : 3])
    for (int i = 2; i < 5; i++) some[i].n = i;
    for (int i = 0; i < 6; i++) CHECK_EQ(some[i].n, i >= 2 && i < 5 ? i : 0);
    return verdict();
}
