// Leagues with counted tasks, then an inner region of the same thread: its barriers wait for its tasks, whatever barriers
// the leagues have passed. OpenMP 5.1, 2.7, 2.12.5
#include "check.h"
#include <unistd.h>

static void detached(void) {
    omp_event_handle_t event;
#pragma omp task detach(event)
    omp_fulfill_event(event);
#pragma omp taskwait
}

int main(void) {
    omp_set_max_active_levels(2);
    for (int league = 0; league < 50; league++) {
#pragma omp teams num_teams(2) thread_limit(2)
        detached();
    }
    for (int region = 0; region < 4; region++) {
        int done = 0;
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(3)
            {
#pragma omp single nowait
                for (int i = 0; i < 12; i++) {
#pragma omp task shared(done)
                    {
                        usleep(1000);
#pragma omp atomic
                        done++;
                    }
                }
#pragma omp barrier
                int seen;
#pragma omp atomic read
                seen = done;
                CHECK_EQ(seen, 12);
            }
        }
    }
    return verdict();
}
