// __kmpc_fork_call_if, which flang and the newer clang code path emit: a false condition runs a team of one.
// OpenMP 5.1, 2.6 (if clause); libomp's interface
//@ compilers: clang
//@ needs: clang 16
#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;

void __kmpc_fork_call_if(location *where, int argc, void (*body)(int *, int *, void *), int condition, void *argument);
int __kmpc_global_thread_num(location *where);
void __kmpc_push_num_threads(location *where, int thread, int threads);

static void body(int *global, int *bound, void *argument) {
    (void)bound;
    int *runs = argument;
    CHECK_EQ(*global, __kmpc_global_thread_num(NULL));
    CHECK_EQ(omp_get_level(), 1);
#pragma omp atomic
    (*runs)++;
}

int main(void) {
    location where = {0, 2, 0, 0, ";abi/kmpc_fork_call_if.c;main;0;0;;"};
    int want = omp_get_max_threads();
    for (int round = 0; round < 20; round++) {
        int runs = 0;
        __kmpc_fork_call_if(&where, 1, body, round % 2, &runs);
        CHECK_EQ(runs, round % 2 ? want : 1);
        runs = 0;
        __kmpc_push_num_threads(&where, __kmpc_global_thread_num(&where), 3);
        __kmpc_fork_call_if(&where, 1, body, 1, &runs);
        CHECK_EQ(runs, 3);
        CHECK_EQ(omp_get_level(), 0);
    }
    return verdict();
}
