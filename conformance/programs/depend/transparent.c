// The transparent clause (OpenMP 6.0, section 17.9.6) on task and taskloop: a tree of tasks whose leaves depend on leaves of other trees.
//@ compilers: clang
//@ needs: clang 23
//@ flags: -fopenmp-version=60
//@ stock-fails: clang because libomp knows the clause and does nothing for it
#include <unistd.h>

#include "check.h"

enum { BLOCKS = 8, STEPS = 6 };
static int blocks[BLOCKS], steps;

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        // Each step's blocks depend on those of the step before, by way of tasks that name none of them.
        for (int step = 0; step < STEPS; step++) {
#pragma omp task transparent firstprivate(step) depend(inout : steps)
            for (int block = 0; block < BLOCKS; block++) {
#pragma omp task firstprivate(step, block) depend(inout : blocks[block])
                {
                    CHECK_EQ(blocks[block], step);
                    usleep(50);
                    blocks[block] = step + 1;
                }
            }
        }
#pragma omp taskwait depend(in : steps)
        for (int block = 0; block < BLOCKS; block++) CHECK_EQ(blocks[block], STEPS);

        // Tasks of a taskloop import.
#pragma omp task depend(out : blocks[0])
        {
            usleep(1000);
            blocks[0] = 100;
        }
#pragma omp taskloop transparent num_tasks(4)
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : blocks[0])
            CHECK_EQ(blocks[0], 100);
        }
    }
    return verdict();
}
