// Data constructs and directives: on a device that shares the program's memory nothing is copied, so that what either side writes is seen
// by the other at once. OpenACC 2.6, 2.6–2.8, 2.13, 2.14.4
//@ compilers: gcc
//@ needs: gcc 10
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>

enum { N = 64 };
struct vector { int length; int *elements; };
int table[N];
#pragma acc declare create(table)

static void fill(int *a, int value) {
#pragma acc parallel loop present(a[0 : N])
    for (int i = 0; i < N; i++) a[i] = value + i;
}

int main(void) {
    int a[N], *lent = NULL;
#pragma acc data create(a)
    {
        fill(a, 1);
#pragma acc update self(a[0 : N])
        CHECK_EQ(a[N - 1], N);
        a[0] = 100;
#pragma acc update device(a[0 : 1]) async(1) wait(2)
#pragma acc parallel present(a)
        a[1] = a[0] + 1;
#pragma acc host_data use_device(a)
        lent = a;
        CHECK(lent == a, "%p is lent for %p", (void *)lent, (void *)a);
#pragma acc data copy(a) if (lent != NULL)
        fill(a, 2);
    }
    CHECK_EQ(a[0], 2);

    struct vector v = {N, malloc(N * sizeof(int))};
    int *keep = v.elements;
#pragma acc enter data copyin(v) create(v.elements[0 : N]) async
#pragma acc parallel loop present(v)
    for (int i = 0; i < v.length; i++) v.elements[i] = i * i;
#pragma acc update self(v.elements[0 : N]) if_present
#pragma acc exit data copyout(v.elements[0 : N]) finalize
#pragma acc exit data delete (v)
    CHECK(v.elements == keep, "the pointer has changed");
    for (int i = 0; i < N; i++) CHECK_EQ(v.elements[i], i * i);

    int *memory = acc_malloc(N * sizeof(int));
#pragma acc parallel loop deviceptr(memory)
    for (int i = 0; i < N; i++) memory[i] = -i;
    acc_memcpy_from_device(a, memory, sizeof(a));
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], -i);
    acc_free(memory);
    free(v.elements);

#pragma acc parallel loop present(table)
    for (int i = 0; i < N; i++) table[i] = i;
#pragma acc update self(table)
    CHECK_EQ(table[N - 1], N - 1);
    return verdict();
}
