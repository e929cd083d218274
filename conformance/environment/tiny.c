// A little of everything that the environment has a say in. Prints `ok`; makes no more than eight threads of its own accord.
#include <omp.h>
#include <stdio.h>

int main(void) {
    int sum = 0, done = 0, loop = 0;
    if (omp_get_max_threads() <= 8) {
#pragma omp parallel reduction(+ : sum)
        sum += 1;
        if (sum < 1) return 2;
    }
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(3) reduction(+ : loop)
        {
#pragma omp for schedule(runtime) nowait
            for (int i = 0; i < 50; i++) loop += i;
#pragma omp parallel num_threads(2)
#pragma omp critical
            done++;
#pragma omp single
            for (int i = 0; i < 10; i++) {
#pragma omp task
#pragma omp atomic
                done++;
            }
        }
    }
    if (loop != 3 * 1225 || done < 33) return 3;
    puts("ok");
    return 0;
}
