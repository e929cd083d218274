// Regions, tasks and threads that come and go: the program stops while they are there, and again when others are in their places.
#include "said.h"

static void *foreign(void *argument) {
    (void)argument;
    speak_all("foreign");
    here();
    return NULL;
}

int main(int count, char **argument) {
    arguments(count, argument);
    omp_set_dynamic(0);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(3)
        {
#pragma omp single
            {
#pragma omp task if (0)
                {
                    speak_all("task");
                    here();
                }
            }
        }
    }
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    pthread_join(thread, NULL);
    here();
    return 0;
}
