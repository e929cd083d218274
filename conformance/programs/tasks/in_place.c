// Undeferred and included tasks, one after the other and nested: each has its own ICVs, data, group and children, whatever
// the one before did.
// OpenMP 5.1, 2.4.3 (ICVs of tasks), 2.12.1 (if, final), 2.19.5, 2.19.6
#include "check.h"

static int executed, in_group;

static void count(int *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

// A task that changes its ICVs hides the change from its siblings. What the parent changes is seen.
static void icvs(int always) {
    for (int i = 1; i <= 20; i++) {
        if (i % 3 == 0) omp_set_num_threads(40 + i);
        int mine = omp_get_max_threads();
#pragma omp task if (0) final(always) firstprivate(i, mine)
        {
            CHECK_EQ(omp_get_max_threads(), mine);
            if (i % 4 == 0) omp_set_num_threads(100 + i);
#pragma omp task if (0) firstprivate(i, mine)
            {
                CHECK_EQ(omp_get_max_threads(), i % 4 == 0 ? 100 + i : mine);
                if (i % 5 == 0) omp_set_num_threads(200 + i);
            }
            CHECK_EQ(omp_get_max_threads(), i % 4 == 0 ? 100 + i : mine);
        }
        CHECK_EQ(omp_get_max_threads(), mine);
    }
}

// The data of a task is a copy.
static void data(void) {
    int outer = 1;
    for (int i = 0; i < 10; i++) {
#pragma omp task if (0) firstprivate(outer, i)
        {
            outer += i;
            CHECK_EQ(outer, 1 + i);
        }
        CHECK_EQ(outer, 1);
    }
}

// A task in place is final or not, whatever the one before was.
static void finality(void) {
    for (int i = 0; i < 8; i++) {
#pragma omp task if (0) final(i % 2) firstprivate(i)
        {
            CHECK_EQ(omp_in_final(), i % 2);
#pragma omp task if (0) firstprivate(i)
            CHECK_EQ(omp_in_final(), i % 2);
        }
    }
    CHECK_EQ(omp_in_final(), 0);
}

// Children outlive tasks in place, at several depths and mixed with tasks that have none.
static void leave_children(int depth, int *counter) {
    for (int i = 0; i < 3; i++) {
#pragma omp task if (0) firstprivate(i, depth)
        {
            count(counter);
            if (i != 1) {
#pragma omp task firstprivate(depth)
                {
                    count(counter);
                    if (depth > 0) leave_children(depth - 1, counter);
                }
            }
        }
    }
}

// Children of tasks in place belong to the innermost taskgroup around.
static void groups(void) {
    for (int i = 0; i < 10; i++) {
        int inner = 0, outer = 0;
#pragma omp taskgroup
        {
            leave_children(1, &outer);
#pragma omp taskgroup
            {
#pragma omp task if (0) shared(inner)
                leave_children(1, &inner);
            }
            CHECK_EQ(inner, 15);
        }
        CHECK_EQ(outer, 15);
        count(&in_group);
    }
}

// Dependences order the children of a task in place, and of its sibling behind it.
static void dependences(void) {
    for (int i = 0; i < 10; i++) {
        int steps = 0;
#pragma omp task if (0) shared(steps)
        {
            for (int step = 0; step < 4; step++) {
#pragma omp task depend(inout : steps) shared(steps) firstprivate(step)
                {
                    CHECK_EQ(steps, step);
                    steps = step + 1;
                }
            }
#pragma omp taskwait
        }
#pragma omp task if (0) depend(inout : steps) shared(steps)
        CHECK_EQ(steps++, 4);
#pragma omp task if (0) shared(steps)
        CHECK_EQ(steps, 5);
    }
}

// A region in a task in place.
static void regions(void) {
    for (int i = 0; i < 4; i++) {
        int members = 0;
#pragma omp task if (0) shared(members)
        {
#pragma omp parallel num_threads(2)
#pragma omp task if (0) shared(members)
            count(&members);
        }
        CHECK(members == 1 || members == 2, "%d members\n", members);
    }
}

// A chain of included tasks: each level costs little stack.
static int descend(int depth) {
    int below = 0;
    if (depth == 0) return 0;
#pragma omp task final(1) shared(below)
    below = descend(depth - 1);
    // The outermost of these tasks is no included one.
#pragma omp taskwait
    return below + 1;
}

static void all(void) {
    icvs(0);
    icvs(1);
    data();
    finality();
    groups();
    dependences();
    regions();
    CHECK_EQ(descend(2000), 2000);
}

int main(void) {
    all();
    for (int threads = 1; threads <= 4; threads++) {
#pragma omp parallel num_threads(threads)
        {
            all();
            for (int round = 0; round < 6; round++) {
                leave_children(2, &executed);
#pragma omp barrier
                CHECK_EQ(executed % 35, 0);
#pragma omp barrier
            }
        }
    }
    return verdict();
}
