// Nested and serialised parallel regions, whose tasks have ICVs of their own. The innermost threads say what they know and stop.
#include "said.h"

int main(int count, char **argument) {
    arguments(count, argument);
    omp_set_max_active_levels(4);
    speak_all("initial");
#pragma omp parallel num_threads(3)
    {
        int outer = omp_get_thread_num();
        omp_set_dynamic(outer == 1);
        omp_set_schedule(outer == 2 ? omp_sched_guided : omp_sched_dynamic, 4 + outer);
        omp_set_num_threads(5 + outer);
        omp_set_max_active_levels(4 + outer);
        omp_set_default_device(0);
        speak_all("outer");
#pragma omp parallel num_threads(2)
        {
            omp_set_num_threads(20 + omp_get_thread_num());
            speak_all("inner");
#pragma omp parallel if (0)
            {
                speak_all("serial");
                meet(6);
            }
        }
    }
    return 0;
}
