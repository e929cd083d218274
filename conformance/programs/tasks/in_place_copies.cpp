// Tasks in place whose firstprivate objects are copied by a function that generates tasks itself, and changes ICVs: between
// the allocation of a task and its begin, clang's programs generate other children of the same task.
// OpenMP 5.1, 2.4.3 (ICVs of tasks), 2.12.1 (if, final), 2.19.5
#include "check.h"

static int executed;

static void count() { __atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED); }

enum { NOTHING, UNDEFERRED, NESTED, DEFERRED, UNDEFERRED_AND_DEFERRED, ICVS, ICVS_AND_UNDEFERRED, LARGE, KINDS };

// An undeferred task, whose children inherit its ICVs and no others.
static void own_icvs(int depth) {
    int outer = omp_get_max_threads();
#pragma omp task if (0) firstprivate(depth, outer)
    {
        CHECK_EQ(omp_get_max_threads(), outer);
        omp_set_num_threads(outer + 7);
        count();
        if (depth > 0) {
            own_icvs(depth - 1);
            own_icvs(depth - 1);
        }
        CHECK_EQ(omp_get_max_threads(), outer + 7);
    }
    CHECK_EQ(omp_get_max_threads(), outer);
}

static void deferred(int depth) {
    int outer = omp_get_max_threads();
#pragma omp task firstprivate(depth, outer)
    {
        CHECK_EQ(omp_get_max_threads(), outer);
        count();
        own_icvs(depth);
    }
}

// A payload that needs a block of another size.
static void large(int depth) {
    struct {
        int words[100];
    } data;
    for (int i = 0; i < 100; i++) data.words[i] = i + depth;
#pragma omp task if (0) firstprivate(data, depth)
    {
        for (int i = 0; i < 100; i++) CHECK_EQ(data.words[i], i + depth);
        own_icvs(depth);
    }
}

// Without a destructor, so that tasks with such an object may run in place.
struct Copied {
    int kind;
    explicit Copied(int kind) : kind(kind) {}
    Copied(const Copied &other) : kind(other.kind) {
        switch (kind) {
        case UNDEFERRED:
            own_icvs(0);
            break;
        case NESTED:
            own_icvs(2);
            own_icvs(1);
            break;
        case DEFERRED:
            deferred(1);
            break;
        case UNDEFERRED_AND_DEFERRED:
            own_icvs(1);
            deferred(0);
            break;
        case ICVS:
            omp_set_num_threads(omp_get_max_threads() % 50 + 100);
            break;
        case ICVS_AND_UNDEFERRED:
            omp_set_num_threads(omp_get_max_threads() % 50 + 200);
            own_icvs(1);
            break;
        case LARGE:
            large(1);
            break;
        }
    }
};

// The header of a child of the task must be the task's, whatever the copy has done.
static void body(const Copied &copied) {
    int mine = omp_get_max_threads();
    count();
    own_icvs(1);
    if (copied.kind % 3 == 0) deferred(1);
    omp_set_num_threads(mine + 300);
    own_icvs(1);
    CHECK_EQ(omp_get_max_threads(), mine + 300);
}

static void pair(int first, int second, bool in_final) {
    Copied one(first), two(second);
#pragma omp task final(in_final) firstprivate(one, two) if (0)
    {
        body(one);
#pragma omp task firstprivate(two) if (0)
        body(two);
#pragma omp task firstprivate(one)
        body(one);
    }
    own_icvs(1);
    int now = omp_get_max_threads();
#pragma omp task if (0) firstprivate(now)
    CHECK_EQ(omp_get_max_threads(), now);
    if (second % 2) deferred(0);
#pragma omp task firstprivate(one)
    body(one);
}

static void all() {
    for (int first = 0; first < KINDS; first++) {
        for (int second = 0; second < KINDS; second++) {
            pair(first, second, false);
            pair(first, second, true);
        }
    }
#pragma omp taskwait
}

int main() {
    all();
    int once = executed;
    for (int threads = 1; threads <= 4; threads++) {
        executed = 0;
        int members = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members)
        {
            members = 1;
            all();
        }
        CHECK_EQ(executed, members * once);
    }
    return verdict();
}
