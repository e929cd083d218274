// taskyield lets a thread run other tasks and come back: many yields in tied and untied tasks, and outside any task.
// OpenMP 5.1, 2.12.4 (taskyield construct)
#include "check.h"

int main(void) {
    int ran = 0;
#pragma omp taskyield
#pragma omp parallel
    {
#pragma omp taskyield
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(i) shared(ran)
            {
                int before = omp_get_thread_num();
                for (int k = 0; k < i % 4; k++) {
#pragma omp taskyield
                    // A tied task goes on where it was.
                    CHECK_EQ(omp_get_thread_num(), before);
                }
#pragma omp atomic
                ran++;
            }
#pragma omp task untied shared(ran)
            {
#pragma omp taskyield
#pragma omp atomic
                ran++;
            }
        }
    }
    CHECK_EQ(ran, 200);
    return verdict();
}
