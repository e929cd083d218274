// copyin copies the primary thread's threadprivate values to every thread before the region starts: scalars, arrays, structs.
// OpenMP 5.1, 2.21.6.1 (copyin clause)
#include "check.h"

struct state {
    long id;
    char text[24];
};

static int number = 3;
static struct state state;
static int array[50];
#pragma omp threadprivate(number, state, array)

int main(void) {
    for (int round = 0; round < 15; round++) {
        number = round * 5;
        state.id = round;
        snprintf(state.text, sizeof state.text, "round %d", round);
        for (int i = 0; i < 50; i++) array[i] = round * i;
        int size = 1 + round % 5, count = 0;
#pragma omp parallel copyin(number, state, array) reduction(+ : count)
        {
            char want[24];
            snprintf(want, sizeof want, "round %d", round);
            CHECK_EQ(number, round * 5);
            CHECK_EQ(state.id, round);
            CHECK(!__builtin_strcmp(state.text, want), "%s", state.text);
            for (int i = 0; i < 50; i++) CHECK_EQ(array[i], round * i);
#pragma omp barrier
            number = -1;
            state.text[0] = 0;
            count++;
        }
#pragma omp parallel num_threads(size) copyin(number)
        CHECK_EQ(number, -1);
        CHECK_EQ(count, omp_get_max_threads());
    }
    return verdict();
}
