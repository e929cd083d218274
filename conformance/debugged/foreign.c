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
            meet(7);
        }
    } else {
        meet(7);
    }
    return NULL;
}

// One that never comes to OpenMP.
static void *plain_body(void *argument) {
    struct record *record = speak("plain");
    say(record, "lwp", syscall(SYS_gettid));
    say(record, "pthread", (long)pthread_self());
    meet(7);
    return argument;
}

int main(int count, char **argument) {
    arguments(count, argument);
    speak_all("main");
    pthread_t threads[3], plain;
    for (long number = 0; number < 3; number++) pthread_create(&threads[number], NULL, body, (void *)number);
    pthread_create(&plain, NULL, plain_body, NULL);
    meet(7);
    pthread_join(plain, NULL);
    for (int number = 0; number < 3; number++) pthread_join(threads[number], NULL);
    return 0;
}
