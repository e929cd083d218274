// A taskwait with dependences waits for the tasks that they name, not for others: it ends while a task is still held back.
// OpenMP 5.1, 2.19.5 (taskwait)
//@ needs: gcc 11
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int a = 0, b = 0, held = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
        if (omp_get_num_threads() == 2) {
            omp_event_handle_t event;
#pragma omp task depend(out : b) detach(event) shared(held)
            {
#pragma omp atomic write
                held = 1;
            }
#pragma omp task depend(out : a) shared(a)
            {
                spin_work(2000);
                a = 1;
            }
#pragma omp task depend(in : a) shared(a)
            CHECK_EQ(a, 1);
#pragma omp task depend(inout : a) shared(a)
            a = 2;
#pragma omp taskwait depend(in : a)
            CHECK_EQ(a, 2);
#pragma omp task depend(in : b) shared(b)
            CHECK_EQ(b, 1);
            b = 1;
            omp_fulfill_event(event);
#pragma omp taskwait depend(inout : b)
            int seen;
#pragma omp atomic read
            seen = held;
            CHECK_EQ(seen, 1);
        }
    }
    return verdict();
}
