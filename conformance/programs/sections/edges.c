// One section, more sections than threads and fewer, sections in a row without barriers, nested in tasks-free orphaned functions, outside
// any region, with reduction and lastprivate of the lexically last section. OpenMP 5.1, 2.10.1 (sections construct)
#include "check.h"

static int runs[12];

static void count(int k) {
#pragma omp atomic
    runs[k]++;
}

static void orphaned(void) {
#pragma omp sections nowait
    {
        count(0);
#pragma omp section
        count(1);
#pragma omp section
        count(2);
    }
#pragma omp sections
    { count(3); }
#pragma omp sections nowait
    {
#pragma omp section
        count(4);
#pragma omp section
        count(5);
#pragma omp section
        count(6);
#pragma omp section
        count(7);
#pragma omp section
        count(8);
#pragma omp section
        count(9);
#pragma omp section
        count(10);
#pragma omp section
        count(11);
    }
}

static void expect(int times) {
    for (int k = 0; k < 12; k++) {
        CHECK(runs[k] == times, "section %d ran %d times, not %d", k, runs[k], times);
        runs[k] = 0;
    }
}

int main(void) {
    orphaned();
    expect(1);
#pragma omp parallel num_threads(1)
    orphaned();
    expect(1);
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
        for (int k = 0; k < 9; k++) orphaned();
        expect(9);
        int sum = 0, last = -1, least = 1000;
#pragma omp parallel
        {
#pragma omp sections reduction(+ : sum) reduction(min : least) lastprivate(last)
            {
#pragma omp section
                sum += 1, last = 1, least = least < 30 ? least : 30;
#pragma omp section
                sum += 10, last = 2, least = least < 20 ? least : 20;
#pragma omp section
                sum += 100, last = 3, least = least < 40 ? least : 40;
            }
            CHECK_EQ(sum, 111);
            CHECK_EQ(last, 3);
            CHECK_EQ(least, 20);
        }
        int first = 5;
#pragma omp parallel sections firstprivate(first) reduction(* : sum)
        {
            { first++, sum = first; }
#pragma omp section
            { first += 2, sum *= 1; }
        }
        CHECK_EQ(first, 5);
        CHECK_EQ(sum, 666);
    }
    return verdict();
}
