// taskloop nogroup does not wait, a taskwait or taskgroup around does; collapse, lastprivate, and taskloops in tasks.
// OpenMP 5.1, 2.12.2
#include "check.h"

int main(void) {
    int count = 0, last = -1, square = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int k = 0; k < 4; k++) {
#pragma omp taskloop nogroup num_tasks(6) shared(count)
                for (int i = 0; i < 25; i++) {
#pragma omp atomic
                    count++;
                }
            }
        }
        CHECK_EQ(count, 100);
#pragma omp taskloop lastprivate(last) grainsize(3)
        for (int i = 0; i < 50; i++) last = i * 2;
        CHECK_EQ(last, 98);
#pragma omp taskloop collapse(2) num_tasks(9) shared(square)
        for (int i = 0; i < 12; i++)
            for (int j = 10; j > 0; j -= 3) {
#pragma omp atomic
                square++;
            }
        CHECK_EQ(square, 48);
        for (int k = 0; k < 5; k++) {
#pragma omp task shared(count)
            {
                int own = 0;
#pragma omp taskloop shared(own, count)
                for (int i = 0; i < 10; i++) {
#pragma omp atomic
                    own++;
#pragma omp atomic
                    count++;
                }
                CHECK_EQ(own, 10);
            }
        }
#pragma omp taskwait
        CHECK_EQ(count, 150);
    }
    return verdict();
}
