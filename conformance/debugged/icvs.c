// ICVs at each of their scopes: those of the initial task, of implicit tasks in two regions, and of a task that nobody has begun.
#include "said.h"

int main(int count, char **argument) {
    arguments(count, argument);
    omp_set_affinity_format("now %n");
    omp_set_num_teams(9);
    omp_set_schedule(omp_sched_guided, 6);
    omp_alloctrait_t trait = {omp_atk_alignment, 64};
    omp_set_default_allocator(omp_init_allocator(omp_default_mem_space, 1, &trait));
    struct record *record = speak("process");
    say(record, "num_teams", omp_get_max_teams());
    say(record, "teams_limit", omp_get_teams_thread_limit());
    speak_all("initial");
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_set_num_threads(9);
        omp_set_dynamic(1);
        omp_set_schedule(omp_sched_static, 0);
        speak_all("queued");
#pragma omp task
        met++;
        omp_set_num_threads(5);
        omp_set_dynamic(0);
        omp_set_default_device(2);
        omp_set_schedule(omp_sched_static, 3);
        speak_all("outer");
#pragma omp parallel num_threads(2)
        {
            speak_all("inner");
            meet(3);
        }
    } else {
        speak_all("other");
        meet(3);
    }
    return 0;
}
