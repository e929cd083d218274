// Sections of pointers that are members, or that lead to others: attached where the pointer is mapped, in whatever construct, and not mapped by
// themselves. OpenMP 5.1, 2.21.7.1; 6.0, 7.9.6
//@ devices: 1 3
//@ cannot: gcc because gcc 12 maps the pointer with the section
#include "device.h"

struct list {
    int n;
    int *p;
    struct list *next;
};
#pragma omp declare mapper(deep : struct list l) map(l.n, l.p[0 : l.n])

int main(void) {
    int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, sum = 0;
    struct list second = {4, b, 0}, first = {4, a, &second};
    // The member and its section together, the section alone, one construct after the other.
#pragma omp target map(tofrom : first.p[0 : 4]) map(to : first.n)
    first.p[3] = first.n + 5;
    CHECK_EQ(a[3], 9);
#pragma omp target enter data map(to : first, second)
#pragma omp target enter data map(to : first.p[0 : 4]) map(to : second.p[1 : 2])
#pragma omp target enter data map(to : first.next[0 : 1])
#pragma omp target map(tofrom : first, second, sum)
    sum = first.p[1] + second.p[2];
    CHECK_EQ(sum, 9);
#pragma omp target exit data map(from : first.p[0 : 4]) map(from : second.p[1 : 2])
#pragma omp target exit data map(release : first.next[0 : 1]) map(delete : first, second)
    CHECK(first.p == a && second.p == b && first.next == &second, "the host's pointers have changed");
    // Other memory behind the same pointer.
#pragma omp target enter data map(to : first)
    for (int round = 0; round < 3; round++) {
        int *fresh = malloc(4 * sizeof *fresh);
        FILL(fresh, 4, round);
        first.p = fresh;
#pragma omp target map(tofrom : first.p[0 : 4])
        first.p[2] += 10;
        CHECK_EQ(fresh[2], round + 10);
        free(fresh);
    }
#pragma omp target exit data map(delete : first)
    // Mappers.
    first.p = a;
#pragma omp target map(mapper(deep), tofrom : first)
    first.p[0] = first.n;
    CHECK_EQ(a[0], 4);
    // A pointer and what it leads to, in one construct.
    int *row[2] = {a, b}, **rows = row;
#pragma omp target map(to : rows[0 : 2]) map(tofrom : rows[0][0 : 4], rows[1][0 : 4])
    rows[1][3] = rows[0][1] + 40;
    CHECK_EQ(b[3], 42);
    return verdict();
}
