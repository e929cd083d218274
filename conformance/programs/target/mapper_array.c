// A mapper for each element of an array and of a section. OpenMP 5.1, 2.21.7.4
//@ devices: 1 3
//@ stock-fails: offload because what a mapper maps first is never released
//@ cannot: gcc because gcc 12 has no mappers
#include "device.h"

#define N 9

typedef struct {
    int n;
    int *data;
} item;
#pragma omp declare mapper(item i) map(i) map(i.data[0 : i.n])

int main(void) {
    item items[N];
    for (int i = 0; i < N; i++) {
        items[i] = (item){i + 1, malloc((i + 1) * sizeof(int))};
        FILL(items[i].data, i + 1, 10 * i);
    }
#pragma omp target map(tofrom : items)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < items[i].n; j++) items[i].data[j] += j;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) CHECK_EQ(items[i].data[j], 10 * i + j);
#pragma omp target map(tofrom : items[3 : 4])
    for (int i = 3; i < 7; i++) items[i].data[0] = -i;
    for (int i = 0; i < N; i++) CHECK_EQ(items[i].data[0], i >= 3 && i < 7 ? -i : 10 * i);
    for (int i = 0; i < N; i++) free(items[i].data);
    return verdict();
}
