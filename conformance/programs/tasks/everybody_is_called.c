// Tasks that wait for each other: one for each thread that waits in the barrier. They end only if every one of those threads is
// brought up for a task, whether it sleeps or not. The specification does not promise it; programs count on it.
// OpenMP 5.1, 2.12.6
#include "check.h"
#include <unistd.h>

int main(void) {
    for (int round = 0; round < 20; round++) {
        int met = 0;
#pragma omp parallel shared(met)
#pragma omp single
        {
            int others = omp_get_num_threads() - 1;
            if (round % 2 == 1) usleep(1500); // long enough for the others to fall asleep
            for (int i = 0; i < others; i++) {
#pragma omp task shared(met)
                {
#pragma omp atomic
                    met++;
                    int seen;
                    do {
                        usleep(20);
#pragma omp atomic read
                        seen = met;
                    } while (seen < others);
                }
            }
            // The generating thread keeps out of it until all are there.
            int seen = 0;
            while (seen < others) {
                usleep(20);
#pragma omp atomic read
                seen = met;
            }
        }
        CHECK(met >= 0, "%d", met);
    }
    return verdict();
}
