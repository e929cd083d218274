// A limit on the user's processes (RLIMIT_NPROC) lets three threads come about: regions run with those, again and again, nested
// ones too, and one line says why. Root is not limited, so the program becomes another user first. OpenMP 5.1, 2.6.1
//@ threads: 8 33
//@ checker: no because the other user may not write its report
//@ stock-fails: gcc because libgomp ends the program
//@ stock-fails: clang because libomp ends the program
//@ expect-stderr: ferromp: cannot create a thread fewer
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

int main(void) {
    struct rlimit limit = {3, 3};
    int exact = geteuid() == 0;
    // A user of its own, who has no other process.
    if (exact) CHECK_EQ(setuid(100000 + getpid() % 1000000), 0);
    else limit.rlim_cur = limit.rlim_max = 1;
    CHECK_EQ(setrlimit(RLIMIT_NPROC, &limit), 0);
    int least = exact ? 3 : 1;
    for (int round = 0; round < 5; round++) {
        int n = 0, loops = 0;
#pragma omp parallel reduction(+ : n, loops)
        {
            n++;
            CHECK_EQ(omp_get_num_threads(), least);
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 40; i++) loops++;
#pragma omp single
#pragma omp task
            spin_work(10);
        }
        CHECK_EQ(n, least);
        CHECK_EQ(loops, 40);
    }
    omp_set_max_active_levels(2);
    int inner = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        inner++;
    }
    CHECK(inner >= 1 && inner <= 4, "%d", inner);
    return verdict();
}
