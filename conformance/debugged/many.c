// A hundred thousand tasks that nobody executes yet, because all wait for one whose event is to come.
#include "said.h"

enum { TASKS = 100000 };

int main(int count, char **argument) {
    arguments(count, argument);
    int x = 0;
    long ran = 0;
    omp_event_handle_t event = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task detach(event) depend(out : x)
        x = 1;
        for (int task = 0; task < TASKS; task++) {
#pragma omp task depend(in : x) shared(ran)
#pragma omp atomic
            ran++;
        }
        struct record *record = speak("generated");
        say(record, "ran", ran);
        here();
        omp_fulfill_event(event);
    }
    return ran == TASKS ? 0 : 1;
}
