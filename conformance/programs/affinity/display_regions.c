// OMP_DISPLAY_AFFINITY: every thread of the first region says where it is, again when the team's size changes, and not otherwise.
// OpenMP 5.1, 6.13
//@ env: OMP_DISPLAY_AFFINITY=true
//@ env: OMP_AFFINITY_FORMAT=SHOWN %n of %N at %L
//@ env: OMP_NUM_THREADS=3
#include "shown.h"

static int region(int threads) {
#pragma omp parallel num_threads(threads)
    spin_work(10);
    return new_lines();
}

int main(void) {
    catch_output();
    int first = region(3), again = region(3), larger = region(5), still = region(5), smaller = region(2), last = region(2);
    int text = strstr(shown_text, "SHOWN") == NULL;
    release_output();
    CHECK_EQ(first, 3);
    CHECK_EQ(again, 0);
    CHECK_EQ(larger, 5);
    CHECK_EQ(still, 0);
    CHECK_EQ(smaller, 2);
    CHECK_EQ(last, 0);
    CHECK(text, "the last region shows nothing");
    return verdict();
}
