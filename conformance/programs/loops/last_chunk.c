// A thread that has taken the loop's last chunk still helps the others: while the first iteration is under way, nearly all others are executed,
// and lastprivate takes the value of the last one all the same. OpenMP 5.1, 2.11.4 and 2.21.4.5
#include "check.h"

enum { N = 200, LEFT = 4 };

int main(void) {
    omp_set_num_threads(2);
    for (int round = 0; round < 20; round++) {
        int executed = 0, last = -1, waited = 0, team = 0;
#pragma omp parallel for schedule(dynamic) lastprivate(last) shared(executed, waited, team)
        for (int i = 0; i < N; i++) {
            last = i;
            if (i > 0) {
#pragma omp atomic
                executed++;
                continue;
            }
            team = omp_get_num_threads();
            double since = omp_get_wtime();
            int now = 0;
            while (team == 2 && now < N - LEFT && !waited) {
#pragma omp atomic read
                now = executed;
                waited = omp_get_wtime() - since > 5.0;
            }
        }
        CHECK(!waited, "round %d: the first iteration waited for the others", round);
        CHECK_EQ(executed, N - 1);
        CHECK_EQ(last, N - 1);
        if (waited) break;
    }
    return verdict();
}
