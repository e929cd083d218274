// omp_target_memcpy_rect in one to three dimensions, between all devices; how many dimensions there may be. OpenMP 5.1, 3.8.6
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

int main(void) {
    int host = omp_get_initial_device();
    int source[6][8], back[4][5], cube[3][4][5], part[2][2][2], line[20], piece[6];
    for (int i = 0; i < 48; i++) source[i / 8][i % 8] = i;
    for (int i = 0; i < 60; i++) cube[i / 20][i / 5 % 4][i % 5] = i;
    for (int i = 0; i < 20; i++) line[i] = i;
    for (int d = 0; d <= host; d++) {
        int *p = omp_target_alloc(sizeof source, d), *c = omp_target_alloc(sizeof cube, d);
        size_t volume[2] = {3, 2}, to[2] = {1, 2}, from[2] = {2, 4}, none[2] = {0, 0}, full[2] = {6, 8}, small[2] = {4, 5};
        FILL(&back[0][0], 20, -1);
        CHECK_EQ(omp_target_memcpy_rect(p, source, sizeof(int), 2, full, none, none, full, full, d, host), 0);
        CHECK_EQ(omp_target_memcpy_rect(back, p, sizeof(int), 2, volume, to, from, small, full, host, d), 0);
        for (int i = 0; i < 20; i++) {
            int row = i / 5, column = i % 5, in = row >= 1 && row < 4 && column >= 2 && column < 4;
            CHECK_EQ(back[row][column], in ? (row + 1) * 8 + column + 2 : -1);
        }
        size_t v3[3] = {2, 2, 2}, o3[3] = {0, 0, 0}, s3[3] = {1, 2, 3}, d3[3] = {2, 2, 2}, f3[3] = {3, 4, 5};
        CHECK_EQ(omp_target_memcpy(c, cube, sizeof cube, 0, 0, d, host), 0);
        CHECK_EQ(omp_target_memcpy_rect(part, c, sizeof(int), 3, v3, o3, s3, d3, f3, host, d), 0);
        for (int i = 0; i < 8; i++) CHECK_EQ(part[i / 4][i / 2 % 2][i % 2], 20 * (1 + i / 4) + 5 * (2 + i / 2 % 2) + 3 + i % 2);
        size_t v1[1] = {4}, o1[1] = {1}, s1[1] = {10}, d1[1] = {6}, f1[1] = {20};
        FILL(piece, 6, -1);
        CHECK_EQ(omp_target_memcpy(p, line, sizeof line, 0, 0, d, host), 0);
        CHECK_EQ(omp_target_memcpy_rect(piece, p, sizeof(int), 1, v1, o1, s1, d1, f1, host, d), 0);
        for (int i = 0; i < 6; i++) CHECK_EQ(piece[i], i >= 1 && i < 5 ? 9 + i : -1);
        omp_target_free(p, d);
        omp_target_free(c, d);
    }
    CHECK(omp_target_memcpy_rect(NULL, NULL, 4, 3, NULL, NULL, NULL, NULL, NULL, host, host) >= 3, "fewer than three dimensions");
    return verdict();
}
