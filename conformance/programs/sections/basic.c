// Each section runs once, whatever the relation of their number to the team's; lastprivate takes the last one's value.
// OpenMP 5.1, 2.10.1 (sections construct)
#include "check.h"

int main(void) {
    for (int round = 0; round < 25; round++) {
        int ran[7] = {0}, last = -1, after = 0, sum = 0;
#pragma omp parallel reduction(+ : after)
        {
#pragma omp sections lastprivate(last) reduction(+ : sum)
            {
                { ran[0]++, last = 0, sum += 1; }
#pragma omp section
                { ran[1]++, last = 1, sum += 2; }
#pragma omp section
                { ran[2]++, last = 2, sum += 4; }
#pragma omp section
                { ran[3]++, last = 3, sum += 8; }
#pragma omp section
                { ran[4]++, last = 4, sum += 16; }
            }
            // The implied barrier: all five have run.
            for (int i = 0; i < 5; i++) CHECK_EQ(ran[i], 1);
            CHECK_EQ(last, 4);
#pragma omp sections nowait
            {
#pragma omp section
                ran[5]++;
#pragma omp section
                ran[6]++;
            }
            after++;
        }
        CHECK_EQ(ran[5] + ran[6], 2);
        CHECK_EQ(sum, 31);
        CHECK_EQ(after, omp_get_max_threads());
    }
    return verdict();
}
