// firstprivate, private and lastprivate variables of taskloops, few tasks and many. OpenMP 5.1, 2.12.2 (taskloop), 2.21.4
#include "check.h"

static void loop(int tasks) {
    int start = 17, last = -1, scratch = 0;
    long table[40];
    for (int i = 0; i < 40; i++) table[i] = i;
    int wrong = 0;
#pragma omp taskloop num_tasks(tasks) firstprivate(start, table) lastprivate(last) private(scratch)
    for (int i = 0; i < 500; i++) {
        scratch = i;
        start += 1;
        table[i % 40] += 1;
        if (table[i % 40] <= i % 40 || start <= 17 || scratch != i) {
#pragma omp atomic
            wrong++;
        }
        last = i * 2;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(last, 998);
    CHECK_EQ(start, 17);
    CHECK_EQ(table[39], 39);
}

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        loop(1);
        loop(7);
        loop(150);
        loop(10000);
    }
    loop(7);
    loop(200);
    return verdict();
}
