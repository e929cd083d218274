// Descendants of a final task are final, included and run at once; omp_in_final tells; a false final clause changes nothing.
// OpenMP 5.1, 2.12.1 (final clause), 3.5.3 (omp_in_final)
#include "check.h"

static int in_final, not_final;

static void descend(int depth, int must_be_final) {
    CHECK_EQ(omp_in_final(), must_be_final);
    if (omp_in_final()) {
#pragma omp atomic
        in_final++;
    } else {
#pragma omp atomic
        not_final++;
    }
    if (depth == 6) return;
    int me = omp_get_thread_num(), done = 0;
    for (int i = 0; i < 2; i++) {
        int child_final = depth + 1 >= 3;
#pragma omp task final(depth + 1 >= 3) shared(done)
        {
            if (must_be_final) CHECK_EQ(omp_get_thread_num(), me);
            descend(depth + 1, child_final);
#pragma omp atomic
            done++;
        }
        // An included task is over by now.
        if (must_be_final) CHECK_EQ(done, i + 1);
    }
#pragma omp taskwait
    CHECK_EQ(done, 2);
}

int main(void) {
    CHECK_EQ(omp_in_final(), 0);
#pragma omp parallel
#pragma omp single
    descend(0, 0);
    CHECK_EQ(not_final, 7);
    CHECK_EQ(in_final, 120);
    return verdict();
}
