// __kmpc_copyprivate_light and __kmpc_copyprivate: the executor's data reach every thread, whichever executes, many times in a row.
// OpenMP 5.1, 2.21.6.2 (copyprivate clause); LLVM's interface
//@ compilers: clang
//@ needs: clang 16
#include <string.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;
int __kmpc_global_thread_num(location *);
int __kmpc_single(location *, int);
void __kmpc_end_single(location *, int);
void *__kmpc_copyprivate_light(location *, int, void *);
void __kmpc_copyprivate(location *, int, size_t, void *, void (*)(void *, void *), int);
void __kmpc_barrier(location *, int);

static location where = {0, 2, 0, 0, ";abi/kmpc_copyprivate_light.c;main;0;0;;"};

typedef struct {
    int number;
    char text[40];
} value;

static void copy(void *to, void *from) { memcpy(to, from, sizeof(value)); }

int main(void) {
    int executed = 0;
#pragma omp parallel reduction(+ : executed)
    {
        int thread = __kmpc_global_thread_num(&where);
        for (int round = 0; round < 60; round++) {
            value mine = {-1, "nothing"};
            int chosen = __kmpc_single(&where, thread);
            if (chosen) {
                mine.number = round;
                snprintf(mine.text, sizeof mine.text, "round %d", round);
                executed++;
                __kmpc_end_single(&where, thread);
            }
            if (round % 2) {
                __kmpc_copyprivate(&where, thread, sizeof mine, &mine, copy, chosen);
            } else {
                value *source = __kmpc_copyprivate_light(&where, thread, chosen ? &mine : NULL);
                CHECK(source != NULL, "no source in round %d", round);
                if (source && source != &mine) mine = *source;
                // The executor's copy must live until all have read it.
                __kmpc_barrier(&where, thread);
            }
            char want[40];
            snprintf(want, sizeof want, "round %d", round);
            CHECK(mine.number == round && strcmp(mine.text, want) == 0, "round %d: %d, '%s'", round, mine.number, mine.text);
        }
    }
    CHECK_EQ(executed, 60);
    return verdict();
}
