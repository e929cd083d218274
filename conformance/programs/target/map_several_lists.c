// Many variables of all types in one construct, some of them named in several places. OpenMP 5.1, 2.14.5, 2.21.7.1
//@ devices: 1 3
#include "device.h"

int main(void) {
    int in[8], out[8], both[8], room[8], scale = 3;
    for (int i = 0; i < 8; i++) in[i] = i, out[i] = -1, both[i] = 10 * i, room[i] = 77;
    double total = 0;
#pragma omp target map(to : in, scale) map(from : out) map(tofrom : both, total) map(alloc : room)
    {
        for (int i = 0; i < 8; i++) room[i] = in[i] * scale;
        for (int i = 0; i < 8; i++) out[i] = room[i] + 1;
        for (int i = 0; i < 8; i++) both[i] += room[i];
        for (int i = 0; i < 8; i++) total += both[i];
    }
    for (int i = 0; i < 8; i++) {
        CHECK_EQ(out[i], 3 * i + 1);
        CHECK_EQ(both[i], 13 * i);
        if (separate()) CHECK_EQ(room[i], 77);
    }
    CHECK(total == 28 * 13, "%g", total);
#pragma omp target data map(to : in) map(tofrom : both)
#pragma omp target map(always, from : both) map(from : out)
    for (int i = 0; i < 8; i++) both[i] = out[i] = in[i] + 5;
    for (int i = 0; i < 8; i++) CHECK_EQ(both[i] + out[i], 2 * i + 10);
    return verdict();
}
