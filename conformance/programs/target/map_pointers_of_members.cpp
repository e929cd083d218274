// Pointers that are members, in chains, of mappers, or lead to the structure of which a member is mapped: whatever was mapped with them is
// gone afterwards. OpenMP 5.1, 2.21.7.1, 2.21.7.2, 2.21.7.4
//@ devices: 1 3
//@ stock-fails: offload because it never releases pointers that have been listed with what they point to
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ needs: gcc 16
#include "device.h"

struct List {
    int n;
    int *p;
    List *next;
    void members();
};

#pragma omp declare mapper(deep : List v) map(v.n, v.p[0 : v.n])

static int a[4], b[4];

static bool present(const void *address) { return omp_target_is_present(address, omp_get_default_device()); }
// Up to clang 21 a section maps the pointers that lead to it, and is said to be their member.
#if defined __clang_major__ && __clang_major__ < 22
#define ALL_WITH_POINTERS ALL
#else
#define ALL_WITH_POINTERS(...)
#endif
// Whether each of the addresses is present, or none.
template <typename... Address> static void all(int line, bool expected, Address... addresses) {
    if (!separate()) return;
    const bool there[] = {present(addresses)...};
    for (unsigned i = 0; i < sizeof there / sizeof *there; i++) CHECK(there[i] == expected, "line %d, address %u", line, i);
}
#define ALL(expected, ...) all(__LINE__, expected, __VA_ARGS__)

void List::members() {
#pragma omp target enter data map(to : p[0 : 4], p)
    ALL(true, &p, p);
#pragma omp target exit data map(from : p[0 : 4], p)
    ALL(false, &p, p);
#pragma omp target enter data map(to : this->next->p[0 : 4])
    ALL(true, next->p);
    ALL_WITH_POINTERS(true, &next, &next->p);
#pragma omp target exit data map(release : this->next->p[0 : 4])
    ALL(false, &next, &next->p, next->p);
}

static void structures(List *first) {
#pragma omp target enter data map(to : first->p[0 : 4]) map(to : first->p)
    ALL(true, &first->p, first->p);
#pragma omp target exit data map(delete : first->p[0 : 4]) map(delete : first->p)
    ALL(false, &first->p, first->p);
#pragma omp target data map(tofrom : first[0 : 1]) map(to : first)
    ALL(true, &first, first);
    ALL(false, &first, first);
    first->n = 4;
#pragma omp target map(tofrom : first->n, first)
    first->n++;
    ALL(false, &first, first);
    CHECK_EQ(first->n, 5);
    first->n = 4;
}

static void mappers(List *first) {
    for (int i = 0; i < 4; i++) b[i] = i;
#pragma omp target enter data map(mapper(deep), to : first[0 : 2]) map(to : first)
    ALL(true, &first, first, first + 1, a, b);
#pragma omp target
    first[1].p[3] *= 10;
#pragma omp target exit data map(mapper(deep), from : first[0 : 2]) map(from : first)
    ALL(false, &first, first, first + 1, a, b);
    CHECK_EQ(b[3], 30);
}

static void chains() {
    int *rows[2] = {a, b}, **q = rows;
    a[1] = 1;
#pragma omp target enter data map(to : q[0 : 2]) map(to : q)
#pragma omp target enter data map(to : q[0][0 : 4])
    ALL(true, &q, q, q + 1, q[0]);
#pragma omp target
    q[0][1] += 4;
#pragma omp target exit data map(from : q[0][0 : 4])
    ALL(true, &q, q, q + 1);
    ALL(false, q[0]);
    CHECK_EQ(a[1], 5);
#pragma omp target exit data map(release : q[0 : 2]) map(release : q)
    ALL(false, &q, q, q + 1);
#pragma omp target data map(to : q[1][0 : 4]) map(to : q)
    {
        ALL(true, &q, q[1]);
#if defined __clang_major__ && __clang_major__ < 21
        ALL(true, q + 1);
#endif
    }
    ALL(false, &q, q + 1, q[1]);
}

int main() {
    List list[2] = {{4, a, &list[1]}, {4, b, nullptr}};
    list[0].members();
    structures(list);
    mappers(list);
    chains();
    return verdict();
}
