// mutexinoutset on several locations at once, in different orders, in tasks that wait for children while they hold them: nobody is inside
// a set twice, and nobody waits for ever. OpenMP 5.1, 2.19.11 (depend clause)
#include "check.h"

enum { SETS = 4, TASKS = 60 };
static int inside[SETS];

static void enter(int set) {
    int now;
#pragma omp atomic capture
    now = ++inside[set];
    CHECK(now == 1, "%d tasks inside set %d", now, set);
}

static void leave(int set) {
#pragma omp atomic
    inside[set]--;
}

int main(void) {
    int location[SETS] = {0}, ran = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < TASKS; i++) {
            int x = i % SETS, y = (i / SETS + x + 1) % SETS;
            if (x == y) y = (y + 1) % SETS;
#pragma omp task depend(mutexinoutset : location[x], location[y]) shared(ran)
            {
                enter(x);
                enter(y);
                for (int child = 0; child < 3; child++) {
#pragma omp task
                    spin_work(300);
                }
#pragma omp taskwait
                leave(x);
                leave(y);
#pragma omp atomic
                ran++;
            }
        }
        for (int s = 0; s < SETS; s++) {
#pragma omp task depend(in : location[s])
            enter(s), leave(s);
        }
#pragma omp task depend(mutexinoutset : location[0]) if (0)
        enter(0), leave(0);
    }
    CHECK_EQ(ran, TASKS);
    return verdict();
}
