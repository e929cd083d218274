// Target constructs of several tasks, one after the other: two of the initial task, two of each of three explicit
// tasks, which lie in the same memory, and one more of the initial task, which has a target task.
#include <stdio.h>

int main(void) {
    int a = 0;
#pragma omp target map(tofrom : a)
    a++;
#pragma omp target map(tofrom : a)
    a++;
    for (int i = 0; i < 3; i++) {
#pragma omp task if (0) shared(a)
        {
#pragma omp target map(tofrom : a)
            a++;
#pragma omp target map(tofrom : a)
            a++;
        }
    }
#pragma omp target nowait map(tofrom : a)
    a++;
#pragma omp taskwait
    printf("done %d\n", a == 9);
    return 0;
}
