// Target constructs as gcc 13 and later compile them: functions that are called by the host's pointers, requires self_maps, present
// motions, iterators and mappers. OpenMP 5.1, 2.14; OpenMP 6.0, sections 3.2.3, 7.9.6, 10.5
//@ compilers: gcc
//@ needs: gcc 16
#include "check.h"

#pragma omp requires self_maps

struct vector { int length; int *elements; };
#pragma omp declare mapper(struct vector v) map(v.length, v.elements, v.elements[0 : v.length])

#pragma omp begin declare target indirect
static int one(void) { return 1; }
static int two(void) { return 2; }
#pragma omp end declare target

enum { N = 10 };

int main(void) {
    int (*functions[])(void) = {one, two}, sum = 0;
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 2; i++) sum += functions[i]();
    CHECK_EQ(sum, 3);

    int storage[N] = {0};
    struct vector v = {N, storage};
#pragma omp target map(mapper(default), tofrom : v)
    for (int i = 0; i < v.length; i++) v.elements[i] = i;
    CHECK_EQ(storage[N - 1], N - 1);

    int *rows[N];
    for (int i = 0; i < N; i++) rows[i] = calloc(N, sizeof(int));
#pragma omp target enter data map(to : rows)
#pragma omp target enter data map(iterator(i = 0 : N), to : rows[i][ : N])
#pragma omp target map(iterator(i = 0 : N), tofrom : rows[i][ : N])
    for (int i = 0; i < N; i++) rows[i][i] = i + 1;
#pragma omp target update from(iterator(i = 0 : N), present : rows[i][ : N])
    for (int i = 0; i < N; i++) CHECK_EQ(rows[i][i], i + 1);
#pragma omp target exit data map(iterator(i = 0 : N), release : rows[i][ : N])
#pragma omp target map(present, tofrom : storage)
    storage[0] = 5;
    CHECK_EQ(storage[0], 5);
    for (int i = 0; i < N; i++) free(rows[i]);
    return verdict();
}
