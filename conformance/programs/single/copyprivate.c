// copyprivate broadcasts the private variables of the thread that ran the single: scalars, arrays, structs, pointers.
// OpenMP 5.1, 2.21.6.2 (copyprivate clause)
#include "check.h"

struct pair {
    double x;
    char tag[20];
};

int main(void) {
#pragma omp parallel
    {
        for (int round = 0; round < 30; round++) {
            int number = -1, values[5] = {0};
            struct pair pair = {0};
            char *text = NULL;
#pragma omp single copyprivate(number, values, pair, text)
            {
                number = round * 3;
                for (int i = 0; i < 5; i++) values[i] = round + i;
                pair.x = round / 2.0;
                snprintf(pair.tag, sizeof pair.tag, "round %d", round);
                text = malloc(16);
                snprintf(text, 16, "%d", round);
            }
            char expected[20];
            snprintf(expected, sizeof expected, "round %d", round);
            CHECK_EQ(number, round * 3);
            for (int i = 0; i < 5; i++) CHECK_EQ(values[i], round + i);
            CHECK(pair.x == round / 2.0, "%g", pair.x);
            CHECK(!__builtin_strcmp(pair.tag, expected), "%s", pair.tag);
            CHECK_EQ(atoi(text), round);
#pragma omp barrier
#pragma omp master
            free(text);
        }
    }
    return verdict();
}
