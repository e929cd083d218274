// A process and its child, both with regions under way.
#include <sys/wait.h>

#include "said.h"

int main(int count, char **argument) {
    (void)count, (void)argument;
    park = 1;
#pragma omp parallel num_threads(2)
    speak_all("before");
    pid_t child = fork();
    records = 0;
    memset(said, 0, sizeof said);
    struct record *record = speak("process");
    say(record, "child", child);
#pragma omp parallel num_threads(child ? 2 : 3)
    {
        speak_all(child ? "parent" : "child");
        meet(child ? 2 : 3);
    }
    if (child) waitpid(child, NULL, 0);
    return 0;
}
