// A league of teams on the host, each with a parallel region. Teams stop one after the other.
#include "said.h"

static int turn, arrived[2];

int main(int count, char **argument) {
    arguments(count, argument);
    omp_set_dynamic(0);
    (void)omp_get_max_threads();
#pragma omp teams num_teams(2) thread_limit(3)
    {
        speak_all("initial");
#pragma omp parallel num_threads(2)
        {
            int team = omp_get_team_num();
            struct record *record = speak("member");
            say_all(record);
            if (__atomic_add_fetch(&arrived[team], 1, __ATOMIC_SEQ_CST) == 2) {
                while (__atomic_exchange_n(&turn, 1, __ATOMIC_SEQ_CST)) usleep(200);
                say(record, "stops", 1);
                here();
                say(record, "stopped", 1);
                arrived[team] = 3;
                __atomic_store_n(&turn, 0, __ATOMIC_SEQ_CST);
            }
            while (__atomic_load_n(&arrived[team], __ATOMIC_SEQ_CST) != 3) usleep(200);
        }
    }
    return 0;
}
