// A teams region that needs many variables gets them all. OpenMP 5.1, 2.7
#include "check.h"

int main(void) {
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, sum = 0, teams = 0;
    double x = 0.5, y = 1.5;
    int array[5] = {1, 2, 3, 4, 5};
#pragma omp teams num_teams(2) firstprivate(b, d, f, h, y, array) reduction(+ : sum, teams)
    {
        teams++;
        array[0] += 10;
        b++;
        sum += a + b + c + d + e + f + g + h + i + (int)(x + y) + array[0] + array[4];
    }
    CHECK_EQ(sum, teams * (45 + 1 + 2 + 11 + 5));
    CHECK_EQ(b, 2);
    CHECK_EQ(array[0], 1);
    return verdict();
}
