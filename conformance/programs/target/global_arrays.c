// File-scope and static arrays that are not declared for the device are mapped like any other. OpenMP 5.1, 2.21.7
//@ devices: 1 3
#include "device.h"

int visible[100];
static long hidden[100];
static const int table[5] = {2, 3, 5, 7, 11};

static void add(int x) {
    static int calls[3];
#pragma omp target map(tofrom : visible) map(tofrom : hidden[10 : 20]) map(to : table)
    {
        for (int i = 0; i < 100; i++) visible[i] += x * table[i % 5];
        for (int i = 10; i < 30; i++) hidden[i] += x;
        calls[1]++;
    }
    CHECK_EQ(calls[1], x);
}

int main(void) {
    add(1);
    add(2);
    add(3);
    for (int i = 0; i < 100; i++) CHECK_EQ(visible[i], 6 * table[i % 5]);
    for (int i = 0; i < 100; i++) CHECK_EQ(hidden[i], i >= 10 && i < 30 ? 6 : 0);
    return verdict();
}
