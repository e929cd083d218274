// Opens regions until it is killed; says on standard output that it has begun.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    long count = 0;
    for (;;) {
#pragma omp parallel num_threads(2) reduction(+ : count)
        count++;
        if (count == 20000) {
            printf("begun\n");
            fflush(stdout);
        }
    }
}
