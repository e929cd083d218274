// Threads that the program created itself, each with regions of its own.
#include "said.h"

static void *body(void *argument) {
    short number = (short)(long)argument;
    omp_set_num_threads(3 + number);
    char name[NAME];
    snprintf(name, sizeof name, "root%hd", number);
    speak_all(name);
    if (number < 2) {
        snprintf(name, sizeof name, "member%hd", number);
#pragma omp parallel num_threads(2)
        {
            speak_all(name);
            meet(6);
        }
    } else {
        meet(6);
    }
    return NULL;
}

int main(int count, char **argument) {
    arguments(count, argument);
    speak_all("main");
    pthread_t threads[3];
    for (long number = 0; number < 3; number++) pthread_create(&threads[number], NULL, body, (void *)number);
    meet(6);
    for (int number = 0; number < 3; number++) pthread_join(threads[number], NULL);
    return 0;
}
