// The older pair that gcc before 4.9 emits: GOMP_parallel_start, the body called by the program itself, GOMP_parallel_end.
// OpenMP 5.1, 2.6; libgomp's GOMP_1.0 interface
//@ compilers: gcc
#include "check.h"

void GOMP_parallel_start(void (*body)(void *), void *data, unsigned threads);
void GOMP_parallel_end(void);
void GOMP_barrier(void);

struct data {
    int runs, numbers[64];
};

static void body(void *argument) {
    struct data *data = argument;
#pragma omp atomic
    data->runs++;
    data->numbers[omp_get_thread_num()]++;
    GOMP_barrier();
    CHECK_EQ(data->runs, omp_get_num_threads());
}

int main(void) {
    int want = omp_get_max_threads();
    static const unsigned sizes[] = {0, 1, 3, 0, 5};
    for (int round = 0; round < 20; round++) {
        unsigned size = sizes[round % 5];
        int expected = size ? (int)size : want;
        struct data data = {0};
        GOMP_parallel_start(body, &data, size);
        CHECK_EQ(omp_get_num_threads(), expected);
        CHECK_EQ(omp_get_level(), 1);
        body(&data);
        GOMP_parallel_end();
        CHECK_EQ(data.runs, expected);
        for (int i = 0; i < 64; i++) CHECK_EQ(data.numbers[i], i < expected);
        CHECK_EQ(omp_get_level(), 0);
    }
    return verdict();
}
