// Breadth-first search by levels: vertices claimed in a critical section, frontiers built by atomic capture.
// OpenMP 5.1, 2.19.7
#include "check.h"

enum { SIDE = 40, N = SIDE * SIDE };

static int distance[N], frontier[N], next[N];

static int wall(int v) { return v / SIDE % 4 == 2 && v % SIDE != (v / SIDE / 4 % 2 ? 0 : SIDE - 1); }

int main(void) {
    int size = 1, level = 0, reached = 1;
    for (int v = 0; v < N; v++) distance[v] = -1;
    distance[0] = 0;
    frontier[0] = 0;
    while (size > 0) {
        int found = 0;
        level++;
#pragma omp parallel for schedule(dynamic, 4) if (size > 4)
        for (int f = 0; f < size; f++) {
            int v = frontier[f], around[4] = {v - SIDE, v + SIDE, v % SIDE ? v - 1 : -1, v % SIDE < SIDE - 1 ? v + 1 : -1};
            for (int k = 0; k < 4; k++) {
                int w = around[k], old;
                if (w < 0 || w >= N || wall(w)) continue;
#pragma omp atomic read
                old = distance[w];
                if (old != -1) continue;
#pragma omp critical
                {
                    old = distance[w];
                    if (old == -1) {
#pragma omp atomic write
                        distance[w] = level;
                    }
                }
                if (old == -1) {
                    int slot;
#pragma omp atomic capture
                    slot = found++;
                    next[slot] = w;
                }
            }
        }
        for (int i = 0; i < found; i++) frontier[i] = next[i];
        size = found;
        reached += found;
    }
    int open = 0;
    for (int v = 0; v < N; v++) {
        open += !wall(v);
        CHECK((distance[v] >= 0) == !wall(v), "%d", v);
        if (distance[v] > 0) {
            int nearer = 0, step[4] = {-SIDE, SIDE, -1, 1};
            for (int k = 0; k < 4; k++) {
                int w = v + step[k];
                nearer |= w >= 0 && w < N && distance[w] == distance[v] - 1;
            }
            CHECK(nearer, "%d at %d", v, distance[v]);
        }
    }
    CHECK_EQ(reached, open);
    return verdict();
}
