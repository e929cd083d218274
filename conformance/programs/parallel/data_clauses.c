// private, firstprivate and shared for scalars, arrays, structs, pointers and arrays of run-time length; originals untouched.
// OpenMP 5.1, 2.21.4 (data-sharing clauses)
#include "check.h"

struct record {
    int id;
    double values[9];
};

static void run(int n) {
    int scalar = 17, table[31], sized[n], hidden = 5, *pointer = table;
    struct record record = {3, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
    for (int i = 0; i < 31; i++) table[i] = i * i;
    for (int i = 0; i < n; i++) sized[i] = i + 100;
#pragma omp parallel firstprivate(scalar, table, sized, record, pointer) private(hidden)
    {
        int me = omp_get_thread_num();
        hidden = me;
        CHECK_EQ(scalar, 17);
        CHECK_EQ(record.id, 3);
        CHECK_EQ((int)record.values[8], 9);
        for (int i = 0; i < 31; i++) CHECK_EQ(table[i], i * i);
        for (int i = 0; i < n; i++) CHECK_EQ(sized[i], i + 100);
        CHECK_EQ(pointer[30], 900);
        scalar = record.id = me;
        for (int i = 0; i < 31; i++) table[i] = me;
        for (int i = 0; i < n; i++) sized[i] = me;
#pragma omp barrier
        CHECK_EQ(hidden, me);
        CHECK_EQ(scalar, me);
        CHECK_EQ(table[30], me);
        CHECK_EQ(sized[n - 1], me);
    }
    CHECK_EQ(hidden, 5);
    CHECK_EQ(scalar, 17);
    CHECK_EQ(table[30], 900);
    CHECK_EQ(sized[n - 1], n + 99);
    CHECK_EQ(record.id, 3);
}

int main(void) {
    for (int n = 1; n < 40; n += 6) run(n);
    return verdict();
}
