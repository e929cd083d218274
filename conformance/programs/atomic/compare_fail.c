// atomic compare with memory orders of failure, and captures of the value and of the outcome: of many threads that exchange the
// same value one succeeds. OpenMP 5.1, 2.19.7
//@ needs: gcc 12
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), won = 0, seen = 0, owner = -1, highest = 0;
#pragma omp parallel num_threads(threads) reduction(+ : won, seen)
    {
        int expected = -1, mine = omp_get_thread_num(), before, success;
#pragma omp atomic compare capture seq_cst fail(acquire)
        {
            success = owner == expected;
            if (success) { owner = mine; }
        }
        won += success != 0;
#pragma omp atomic compare capture acq_rel fail(relaxed)
        {
            before = owner;
            if (owner == expected) { owner = mine; }
        }
        seen += before >= 0 && before < threads;
#pragma omp atomic compare seq_cst fail(relaxed)
        if (highest < mine + 1) { highest = mine + 1; }
    }
    CHECK_EQ(won, 1);
    CHECK_EQ(seen, threads);
    CHECK_EQ(highest, threads);
    return verdict();
}
