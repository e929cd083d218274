// A task with a false if clause runs at once, on the encountering thread, before the statement after it; its children may not.
// OpenMP 5.1, 2.12.1 (undeferred tasks)
#include "check.h"

int main(void) {
#pragma omp parallel
    {
        int me = omp_get_thread_num(), order = 0, grandchildren = 0;
        for (int i = 0; i < 20; i++) {
#pragma omp task if (0) shared(order, grandchildren) firstprivate(i)
            {
                CHECK_EQ(omp_get_thread_num(), me);
                CHECK_EQ(order, 2 * i);
                order++;
#pragma omp task shared(grandchildren)
                {
#pragma omp atomic
                    grandchildren++;
                }
#pragma omp taskwait
            }
            CHECK_EQ(order, 2 * i + 1);
            order++;
#pragma omp task if (i % 2) shared(grandchildren)
            {
#pragma omp atomic
                grandchildren++;
            }
        }
#pragma omp taskwait
        CHECK_EQ(grandchildren, 40);
    }
    return verdict();
}
