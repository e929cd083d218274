// Collapsed taskloops, of loops of different types and directions. OpenMP 5.1, 2.12.2 (taskloop), 2.11.1 (canonical loops)
#include "check.h"

int main(void) {
    static int seen[12][7][5];
    long sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop collapse(3) grainsize(4)
        for (int i = 0; i < 12; i++)
            for (long j = 6; j >= 0; j--)
                for (unsigned char k = 0; k < 5; k++) seen[i][j][k]++;
#pragma omp taskloop collapse(2) num_tasks(100) reduction(+ : sum)
        for (int i = -10; i < 10; i += 3)
            for (int j = 100; j > 0; j -= 7) sum += i * j;
    }
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 7; j++)
            for (int k = 0; k < 5; k++) CHECK_EQ(seen[i][j][k], 1);
    long want = 0;
    for (int i = -10; i < 10; i += 3)
        for (int j = 100; j > 0; j -= 7) want += i * j;
    CHECK_EQ(sum, want);
    return verdict();
}
