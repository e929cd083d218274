// Whatever clauses they have, tasks of a team of one thread are executed once, siblings in an order that their dependences allow, and
// what waits for them finds them done. OpenMP 5.1, 2.12.1, 2.19.5, 2.19.6, 2.19.11
//@ needs: clang 16
#include "check.h"

enum { N = 40 };

static int ran[N], order[N], steps;

static void run(int number) {
    ran[number]++;
    order[steps++] = number;
}

static void kinds(void) {
    int x = 0, y = 0, set = 0;
    steps = 0;
    for (int i = 0; i < N; i++) ran[i] = 0;
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp task depend(out : x) shared(x)
    run(0);
#pragma omp task depend(in : x) shared(x) priority(3)
    run(1);
#pragma omp task depend(in : x) shared(x) untied
    run(2);
#pragma omp task depend(depobj : object) mergeable
    run(3);
#pragma omp task depend(mutexinoutset : x) depend(out : y) shared(x, y)
    run(4);
#pragma omp task depend(mutexinoutset : x, y) shared(x, y)
    run(5);
#ifdef __clang__
#pragma omp task depend(inoutset : set) shared(set)
#else
#pragma omp task depend(inout : set) shared(set)
#endif
    run(6);
#pragma omp task depend(inout : x, y, set) if (x != 0) shared(x, y, set)
    run(7);
#pragma omp taskwait depend(in : y)
    CHECK(ran[4] && ran[5] && ran[7], "taskwait depend");
#pragma omp task final(x == 0) shared(x)
    {
        run(8);
#pragma omp task
        run(9);
    }
#pragma omp taskyield
#pragma omp task untied
    for (int i = 10; i < 20; i++) {
#pragma omp task firstprivate(i)
        run(i);
#pragma omp taskyield
    }
#pragma omp taskgroup
    {
#pragma omp task
        {
#pragma omp task
            run(20);
            run(21);
        }
    }
    CHECK(ran[20] && ran[21], "taskgroup");
#pragma omp taskloop num_tasks(4) nogroup
    for (int i = 22; i < 30; i++) run(i);
#pragma omp taskloop grainsize(3)
    for (int i = 30; i < N; i++) run(i);
    for (int i = 30; i < N; i++) CHECK(ran[i] == 1, "taskloop: %d ran %d times", i, ran[i]);
#pragma omp taskwait
#pragma omp depobj(object) destroy
    int at[N];
    for (int i = 0; i < steps; i++) at[order[i]] = i;
    CHECK(at[0] < at[1] && at[0] < at[2], "in behind out");
    CHECK(at[1] < at[3] && at[2] < at[3], "inout behind in");
    CHECK(at[3] < at[4] && at[3] < at[5], "mutexinoutset behind inout");
    CHECK(at[4] < at[7] && at[5] < at[7] && at[6] < at[7], "undeferred behind all");
}

static void check(const char *where) {
    for (int i = 0; i < N; i++) CHECK(ran[i] == 1, "%s: task %d ran %d times", where, i, ran[i]);
    CHECK_EQ(steps, N);
}

int main(void) {
#pragma omp parallel num_threads(1)
    kinds();
    check("a team of one");
#pragma omp parallel
#pragma omp single
    {
#pragma omp parallel num_threads(1)
        kinds();
        check("inside");
    }
#pragma omp parallel if (steps < 0)
    kinds();
    check("serialised");
#pragma omp teams num_teams(1) thread_limit(1)
    kinds();
    check("a league");
    kinds();
    // No barrier comes: the untied generator's children are done all the same.
    check("outside");
    return verdict();
}
