// target constructs in tasks, in nested parallel regions, in taskloops and sections of the host. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[60] = {0}, nested = 0, s[2] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) shared(a)
            {
                int r = 0;
#pragma omp target map(from : r)
                r = i * i;
                a[i] = r;
            }
        }
#pragma omp taskloop grainsize(5) shared(a)
        for (int i = 20; i < 60; i++) {
            int r = 0;
#pragma omp target map(tofrom : r)
            r += i * i;
            a[i] = r;
        }
    }
    for (int i = 0; i < 60; i++) CHECK_EQ(a[i], i * i);
#pragma omp parallel num_threads(2) reduction(+ : nested)
    {
        int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
        {
            int one = 0;
#pragma omp target map(from : one)
            one = 1;
            mine += one * omp_get_num_threads() * 0 + one;
        }
        nested += mine >= 1;
    }
    CHECK(nested >= 1 && nested <= 2, "%d", nested);
#pragma omp parallel sections
    {
#pragma omp section
        {
            int r = 0;
#pragma omp target map(from : r)
            r = 1;
            s[0] = r;
        }
#pragma omp section
        {
            int r = 0;
#pragma omp target map(from : r)
            r = 2;
            s[1] = r;
        }
    }
    CHECK_EQ(s[0] + s[1], 3);
    return verdict();
}
