// Times what a device construct costs: prints the nanoseconds that one of them takes, how many there were in all, and the file of
// the offload runtime that served it. Compiled by clang for the host device, and run on ferromp and on stock libomptarget.
//
// usage: target NAME BYTES MILLISECONDS

#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 15,   // at most so many are timed
    INSIDE = 100000 // criticals of one region
};

// A region whose variable is copied there and back.
static void region(char *data, size_t bytes, long count) {
    for (long i = 0; i < count; i++) {
#pragma omp target map(tofrom : data[0 : bytes])
        data[0]++;
    }
}

// A region whose variable is there already.
static void present(char *data, size_t bytes, long count) {
#pragma omp target data map(tofrom : data[0 : bytes])
    for (long i = 0; i < count; i++) {
#pragma omp target map(tofrom : data[0 : bytes])
        data[0]++;
    }
}

// Memory on the device and a copy there and back.
static void tofrom(char *data, size_t bytes, long count) {
    for (long i = 0; i < count; i++) {
#pragma omp target data map(tofrom : data[0 : bytes])
        { __asm__ volatile("" ::: "memory"); }
    }
}

// Copies to memory that is there.
static void to(char *data, size_t bytes, long count) {
#pragma omp target data map(alloc : data[0 : bytes])
    for (long i = 0; i < count; i++) {
#pragma omp target update to(data[0 : bytes])
    }
}

static void from(char *data, size_t bytes, long count) {
#pragma omp target data map(to : data[0 : bytes])
    for (long i = 0; i < count; i++) {
#pragma omp target update from(data[0 : bytes])
    }
}

// A region that is not waited for, and a wait for many of them.
static void nowait(char *data, size_t bytes, long count) {
#pragma omp target data map(tofrom : data[0 : bytes])
    {
        for (long i = 0; i < count; i++) {
#pragma omp target map(tofrom : data[0 : bytes]) nowait
            data[0] = 1;
            if (i % 64 == 63) {
#pragma omp taskwait
            }
        }
#pragma omp taskwait
    }
}

// Three events each on the device.
static void inside(char *data, size_t bytes, long count) {
    (void)bytes;
    for (long i = 0; i < count; i += INSIDE) {
        long left = count - i < INSIDE ? count - i : INSIDE;
#pragma omp target map(tofrom : data[0 : 1]) firstprivate(left)
        for (long k = 0; k < left; k++) {
#pragma omp critical
            data[0]++;
        }
    }
}

static const struct {
    const char *name;
    void (*run)(char *, size_t, long);
} constructs[] = {{"region", region}, {"present", present}, {"tofrom", tofrom}, {"to", to}, {"from", from}, {"nowait", nowait}, {"inside", inside}};

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: target NAME BYTES MILLISECONDS\n");
        return 2;
    }
    size_t bytes = strtoull(argv[2], NULL, 10);
    double seconds = atof(argv[3]) / 1000;
    char *data = malloc(bytes);
    int on_host = 1;
    if (data == NULL) return 1;
    memset(data, 1, bytes);
#pragma omp target map(from : on_host)
    on_host = omp_is_initial_device();
    if (on_host) {
        fprintf(stderr, "target: there is no device\n");
        return 1;
    }
    for (size_t k = 0; k < sizeof constructs / sizeof *constructs; k++) {
        if (strcmp(constructs[k].name, argv[1]) != 0) continue;
        long batch = 1, all = 0;
        // As many as take a tenth of the time, one at least.
        for (;;) {
            double begin = omp_get_wtime();
            constructs[k].run(data, bytes, batch);
            all += batch;
            if (omp_get_wtime() - begin > seconds / BATCHES) break;
            batch *= 2;
        }
        double times[BATCHES], end = omp_get_wtime() + seconds;
        int timed = 0;
        while (timed < BATCHES && (timed < 3 || omp_get_wtime() < end)) {
            double begin = omp_get_wtime();
            constructs[k].run(data, bytes, batch);
            all += batch;
            times[timed++] = (omp_get_wtime() - begin) / batch;
        }
        qsort(times, timed, sizeof *times, ascending);
        Dl_info info;
        void *symbol = dlsym(RTLD_DEFAULT, "__tgt_target_kernel");
        if (symbol == NULL || dladdr(symbol, &info) == 0) return 1;
        printf("%.3f %ld %s\n", times[timed / 2] * 1e9, all, info.dli_fname);
        return 0;
    }
    fprintf(stderr, "target: no construct '%s'\n", argv[1]);
    return 2;
}
