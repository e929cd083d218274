// Tasks in every state at once: running below one that waits, queued, waiting for another, finished with an event to come.
#include "said.h"

static volatile int detached, held;
static long stack[4];

static inline void busy(const char *name) {
    struct record *record = speak(name);
    say_all(record);
    held = 1;
    until(&let_go);
}

int main(int count, char **argument) {
    arguments(count, argument);
    int x = 0;
    omp_event_handle_t event = 0;
#pragma omp parallel num_threads(2) shared(x, event)
#pragma omp single
    {
        speak_all("single");
#pragma omp task detach(event)
        detached = 1;
        until(&detached);
#pragma omp task untied
        busy("held");
        until(&held);
        // From here on, the other thread is busy. Nobody executes these until the program goes on.
#pragma omp task priority(3) shared(stack)
        stack[0] = 1;
#pragma omp task untied shared(stack)
        stack[1] = 1;
#pragma omp task final(1) shared(stack)
        stack[2] = 1;
#pragma omp task mergeable shared(stack)
        stack[3] = 1;
#pragma omp task depend(out : x) shared(x)
        x = 1;
#pragma omp task depend(in : x) shared(x)
        stack[0] += x;
#pragma omp task if (0)
        {
            speak_all("undeferred");
#pragma omp task
            {
                speak_all("child");
#pragma omp task if (0) final(1)
                {
                    speak_all("innermost");
                    here();
                    let_go = 1;
                }
            }
#pragma omp taskwait
        }
        omp_fulfill_event(event);
    }
    return 0;
}
