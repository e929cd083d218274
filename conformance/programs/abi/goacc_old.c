// Entry points that gcc called in older releases and calls no more. OpenACC 2.6, 2.5, 2.6.6
//@ compilers: gcc
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>

void GOACC_parallel(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, int, int, int, int, int, ...);
void GOACC_parallel_keyed(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, ...);
void GOACC_enter_exit_data(int, size_t, void **, size_t *, unsigned short *, int, int, ...);
void GOACC_wait(int, int, ...);
int GOACC_get_num_threads(void);
int GOACC_get_thread_num(void);

enum { ALLOC = 0, POINTER = 4, RELEASE = 23, FORCE_TO = 129, ICV = -1, SYNC = -2 };

static void region(void *data) {
    int **variables = data;
    *variables[0] += *variables[1];
}

int main(void) {
    int x = 1, y = 2;
    acc_init(acc_device_host);
    void *addresses[] = {&x, &y};
    size_t sizes[] = {4, 4};
    unsigned short kinds[] = {3, 1};
    GOACC_parallel(ICV, region, 2, addresses, sizes, kinds, 1, 1, 1, SYNC, 0);
    CHECK_EQ(x, 3);
    GOACC_parallel_keyed(ICV, region, 2, addresses, sizes, kinds, 1 << 28 | 7, 4, 2, 32, 2 << 28 | 5, 0);
    CHECK_EQ(x, 5);
    unsigned short enter[] = {FORCE_TO, POINTER}, leave[] = {POINTER, RELEASE};
    GOACC_enter_exit_data(ICV, 2, addresses, sizes, enter, SYNC, 0);
    GOACC_enter_exit_data(ICV, 2, addresses, sizes, leave, 3, 1, 4);
    GOACC_wait(SYNC, 2, 1, 2);
    CHECK_EQ(GOACC_get_num_threads(), 1);
    CHECK_EQ(GOACC_get_thread_num(), 0);
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    return verdict();
}
