// Threadprivate arrays, structures and scalars across regions of changing size: copyin renews them on every thread of the team, without it
// threads that take part again keep what they had, and copyin does not touch what is not named. OpenMP 5.1, 2.21.2, 2.21.6.1
#include <string.h>

#include "check.h"

static int scalar = 1, untouched = 100;
static double array[33];
static struct {
    char name[11];
    long number;
} record = {"first", 1};
#pragma omp threadprivate(scalar, untouched, array, record)

int main(void) {
    int most = omp_get_max_threads(), kept[64] = {0};
    omp_set_dynamic(0);
    for (int round = 0; round < 30; round++) {
        int threads = 1 + (round * 5 + round / 3) % most;
        scalar = round;
        record.number = round * 10;
        snprintf(record.name, sizeof record.name, "round %d", round);
        for (int k = 0; k < 33; k++) array[k] = round + k;
#pragma omp parallel num_threads(threads) copyin(scalar, array, record)
        {
            int me = omp_get_thread_num();
            char want[11];
            snprintf(want, sizeof want, "round %d", round);
            CHECK_EQ(scalar, round);
            CHECK_EQ(record.number, round * 10);
            CHECK(strcmp(record.name, want) == 0, "'%s'", record.name);
            for (int k = 0; k < 33; k++) CHECK(array[k] == round + k, "%d: %g", k, array[k]);
            scalar = me + 1000;
            record.number = me;
            array[me % 33] = -me;
            untouched = 100 + me;
        }
        CHECK_EQ(scalar, 1000);
        CHECK_EQ(record.number, 0);
        CHECK_EQ(untouched, 100);
        // The same threads again: nothing is copied.
#pragma omp parallel num_threads(threads)
        {
            int me = omp_get_thread_num();
            CHECK_EQ(scalar, me + 1000);
            CHECK_EQ(record.number, me);
            CHECK_EQ(untouched, 100 + me);
            CHECK(array[me % 33] == -me, "%g", array[me % 33]);
            if (me < 64) kept[me]++;
        }
    }
    CHECK_EQ(kept[0], 30);
    return verdict();
}
