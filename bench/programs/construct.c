// Times one OpenMP construct: prints the nanoseconds that one of them takes, how many there were in all, and the file of the
// runtime that served it.
// The runner compiles this once with gcc and once with clang, and runs each on the runtimes to compare.
//
// usage: construct NAME THREADS MILLISECONDS
//        construct NAME THREADS =COUNT    executes so many and times nothing, for counters of instructions

#include "constructs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long in_all;

static double seconds_of(void (*run)(int, long), int threads, long count) {
    in_all += whole(run, count);
    double start = omp_get_wtime();
    run(threads, count);
    return omp_get_wtime() - start;
}

int main(int argc, char **argv) {
    int threads = argc == 4 ? atoi(argv[2]) : 0;
    long exactly = argc == 4 && argv[3][0] == '=' ? atol(argv[3] + 1) : 0;
    double budget = argc == 4 ? atoi(argv[3]) / 1000.0 : 0.0;
    if (threads < 1 || (budget <= 0.0 && exactly < 1)) {
        fprintf(stderr, "usage: construct NAME THREADS MILLISECONDS, or =COUNT\n");
        return 2;
    }
    void (*run)(int, long) = NULL;
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
        if (strcmp(constructs[i].name, argv[1]) == 0) run = constructs[i].run;
    }
    if (run == NULL) {
        fprintf(stderr, "construct: no construct '%s'\n", argv[1]);
        return 2;
    }

    if (exactly > 0) {
        run(threads, exactly);
        printf("0 %ld %s\n", whole(run, exactly), runtime_file());
        return 0;
    }
    come_apart(threads);
    // Batches grow until one takes a tenth of the budget; that also brings the threads up. Then the median of those that fit.
    seconds_of(run, threads, 2 * FIB_TASKS);
    long count = FIB_TASKS;
    double batches[BATCHES] = {seconds_of(run, threads, count)};
    while (batches[0] < budget / 10) {
        count *= 2;
        batches[0] = seconds_of(run, threads, count);
    }
    int done = 1;
    for (double spent = batches[0]; spent < budget && done < BATCHES; done++) {
        batches[done] = seconds_of(run, threads, count);
        spent += batches[done];
    }
    qsort(batches, done, sizeof *batches, by_size);
    double median = batches[done / 2];
    printf("%.3f %ld %s\n", median * 1e9 / whole(run, count), in_all, runtime_file());
    return 0;
}
