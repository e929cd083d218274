// omp_display_affinity prints a line for the calling thread, in its own format or that of affinity-format-var.
// OpenMP 5.1, 3.3.10
//@ threads: 1 3 8
#include "shown.h"

int main(void) {
    int threads = omp_get_max_threads();
    omp_set_affinity_format("SHOWN by default");
    catch_output();
    omp_display_affinity(NULL);
    omp_display_affinity("");
    int plain = new_lines();
    omp_display_affinity("SHOWN by format");
    int own = new_lines();
    int text = strcmp(shown_text, "SHOWN by format\n") == 0;
#pragma omp parallel
    omp_display_affinity("SHOWN %n");
    int all = new_lines();
    release_output();
    CHECK_EQ(plain, 2);
    CHECK_EQ(own, 1);
    CHECK(text, "%s", shown_text);
    CHECK_EQ(all, threads);
    return verdict();
}
