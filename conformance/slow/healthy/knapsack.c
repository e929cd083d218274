// The best filling of a bag, by trying all. The search makes tasks near its root only.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include "../slow.h"

enum { THINGS = 26, TASK_DEPTH = 7 };

static int weight[THINGS], value[THINGS], left_value[THINGS + 1];
static long visited;

struct best {
    int value;
    long nodes;
};

static struct best search(int thing, int room, int value_so_far, int at_least) {
    struct best best = {value_so_far, 1};
    if (thing == THINGS || value_so_far + left_value[thing] <= at_least) return best;
    if (weight[thing] <= room) {
        struct best with = search(thing + 1, room - weight[thing], value_so_far + value[thing], at_least);
        if (with.value > best.value) best.value = with.value;
        best.nodes += with.nodes;
    }
    struct best without = search(thing + 1, room, value_so_far, at_least);
    if (without.value > best.value) best.value = without.value;
    best.nodes += without.nodes;
    return best;
}

static struct best search_in_tasks(int thing, int room, int value_so_far, int at_least) {
    if (thing >= TASK_DEPTH) return search(thing, room, value_so_far, at_least);
    struct best with = {0, 0}, without;
    if (weight[thing] <= room) {
#pragma omp task shared(with)
        with = search_in_tasks(thing + 1, room - weight[thing], value_so_far + value[thing], at_least);
    }
    without = search_in_tasks(thing + 1, room, value_so_far, at_least);
#pragma omp taskwait
    struct best best = {with.value > without.value ? with.value : without.value, with.nodes + without.nodes};
    return best;
}

int main(int argc, char **argv) {
    long bags = repeated(argc, argv, 24);
    int sum = 0;
    for (long bag = 0; bag < bags; bag++) {
        struct best best = {0, 0};
        for (int thing = 0; thing < THINGS; thing++) {
            weight[thing] = 10 + (int)(mixed(bag * 100 + thing) % 50);
            value[thing] = 10 + (int)(mixed(bag * 100 + thing + 50) % 60);
        }
        for (int thing = THINGS; thing-- > 0;) left_value[thing] = left_value[thing + 1] + value[thing];
#pragma omp parallel
#pragma omp single
        best = search_in_tasks(0, 400, 0, left_value[0] / 2);
        sum += best.value;
        visited += best.nodes;
    }
    return finish(sum > 0 && visited > 1000, (double)sum);
}
