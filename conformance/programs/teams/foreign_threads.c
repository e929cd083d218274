// Threads that the runtime did not create execute leagues of their own at the same time. OpenMP 5.1, 1.3, 2.7
#include <pthread.h>

#include "check.h"

static void *leagues(void *argument) {
    int own = (int)(long)argument;
    for (int round = 0; round < 10; round++) {
        int teams = 0, sum = 0;
#pragma omp teams num_teams(2) reduction(+ : teams, sum) firstprivate(own)
        {
            teams++;
            int part = 0;
#pragma omp parallel for reduction(+ : part) num_threads(2)
            for (int i = 0; i < 40; i++) part += own;
            sum += part;
        }
        CHECK(teams == 1 || teams == 2, "%d", teams);
        CHECK_EQ(sum, 40 * own * teams);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, leagues, (void *)(i + 1));
    leagues((void *)9);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return verdict();
}
