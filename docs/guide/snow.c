// How the snow on a mountain range melts in spring, hour by hour. docs/guide.md makes this program faster.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 512, BINS = 32, OCTAVES = 5 };

static float height[SIZE][SIZE]; // of the ground: 0 in the valley in the north, up to 1 in the south
static float cloud[SIZE][SIZE];  // 0 for a clear sky, up to 1
static float light[SIZE][SIZE];  // of the sun on the snow
static float snow[SIZE][SIZE];   // depth
static float later[SIZE][SIZE];  // depth half an hour later
static float melted[SIZE][SIZE]; // in this hour
static double water;             // from all cells and hours
static long cells[BINS];         // by the weight of their snow, added up over the hours

static float random_at(uint32_t x, uint32_t y, uint32_t seed) {
    uint32_t hash = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ seed * 0xc2b2ae3du;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    hash = (hash ^ hash >> 12) * 0x297a2d39u;
    return (float)(hash >> 8) * 0x1p-24f;
}

// From 0 to 1 as its argument, with a soft begin and end.
static float eased(float t) { return t * t * t * (t * (6 * t - 15) + 10); }

// Noise that is smooth between the points of a grid.
static float noise(float x, float y, uint32_t seed) {
    uint32_t column = (uint32_t)x, row = (uint32_t)y;
    float right = eased(x - (float)column), down = eased(y - (float)row);
    float top = random_at(column, row, seed) * (1 - right) + random_at(column + 1, row, seed) * right;
    float bottom = random_at(column, row + 1, seed) * (1 - right) + random_at(column + 1, row + 1, seed) * right;
    return top * (1 - down) + bottom * down;
}

// Noise with details of several sizes, from 0 to 1.
static float rough(int row, int column, float scale, uint32_t seed) {
    float sum = 0, weight = 0.5f;
    for (int octave = 0; octave < OCTAVES; octave++) {
        sum += weight * noise((float)column / scale, (float)row / scale, seed + (uint32_t)octave);
        weight /= 2;
        scale /= 2;
    }
    return sum;
}

// The ground rises to the south. Snow lies everywhere, the more the higher.
static void set_up(void) {
#pragma omp parallel for
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            height[row][column] = 0.9f * (float)row / SIZE + 0.1f * rough(row, column, 64, 1);
            snow[row][column] = 1 + height[row][column];
        }
    }
}

// The sky of an hour: the clouds drift over the land.
static void draw_clouds(int hour) {
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            float here = rough(row, column + 8 * hour, 128, 2);
            cloud[row][column] = here > 0.5f ? 2 * here - 1 : 0;
        }
    }
}

// Follows the ray from each cell to the sun in the west, until it is above all mountains or meets the ground.
static void shine(float slope) {
#pragma omp parallel for
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            float ray = height[row][column] + slope;
            int at = column - 1;
            while (at >= 0 && ray < 1 && ray > height[row][at]) {
                ray += slope;
                at--;
            }
            int is_dark = at >= 0 && ray < 1;
            light[row][column] = (is_dark ? 0.1f : 1.0f) * (1 - cloud[row][column]);
        }
    }
}

// Melts snow for half an hour, and lets the wind even out the rest.
static void melt(float (*from)[SIZE], float (*to)[SIZE]) {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int row = 1; row < SIZE - 1; row++) {
        for (int column = 1; column < SIZE - 1; column++) {
            float around = from[row - 1][column] + from[row + 1][column] + from[row][column - 1] + from[row][column + 1];
            float depth = 0.96f * from[row][column] + 0.01f * around;
            float loss = fminf(depth, 0.01f * light[row][column]);
            to[row][column] = depth - loss;
            melted[row][column] += loss;
        }
    }
}

// Adds up the water of an hour.
static void run_off(void) {
#pragma omp parallel for
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
#pragma omp critical
            water += melted[row][column];
            melted[row][column] = 0;
        }
    }
}

// Counts the cells by the weight of their snow: deep snow is dense.
static void survey(void) {
#pragma omp parallel
    {
#pragma omp single
        for (int row = 0; row < SIZE; row++) {
            for (int column = 0; column < SIZE; column++) {
                float depth = snow[row][column];
                int bin = (int)(8 * depth * (0.1f + 0.4f * tanhf(depth)));
                cells[bin < BINS ? bin : BINS - 1]++;
            }
        }
    }
}

int main(int argc, char **argv) {
    int hours = argc > 1 ? atoi(argv[1]) : 12;
    set_up();
    for (int hour = 0; hour < hours; hour++) {
        draw_clouds(hour);
        shine(0.006f + 0.003f * sinf(3.14159f * (float)hour / 24));
        melt(snow, later);
        melt(later, snow);
        run_off();
        survey();
    }
    printf("%d hours: %.1f of water; snow of middle weight in %ld cells\n", hours, water, cells[BINS / 8]);
    return 0;
}
