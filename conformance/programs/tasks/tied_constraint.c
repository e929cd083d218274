// The task scheduling constraint: while a tied task is suspended in a taskwait, its thread may begin only descendants of it.
// Each thread notes in threadprivate storage which tied task is suspended on it. OpenMP 5.1, 2.12.6 (task scheduling)
#include "check.h"

enum { DEPTH = 5 };

struct path {
    int length, step[DEPTH + 1];
};

static struct path suspended;
#pragma omp threadprivate(suspended)

static int violations, visits;

static int descends(const struct path *task, const struct path *from) {
    if (task->length <= from->length) return 0;
    for (int i = 0; i < from->length; i++)
        if (task->step[i] != from->step[i]) return 0;
    return 1;
}

static void visit(struct path self) {
    struct path outer = suspended;
    if (outer.length > 0 && !descends(&self, &outer)) {
#pragma omp atomic
        violations++;
    }
#pragma omp atomic
    visits++;
    if (self.length < DEPTH) {
        for (int i = 0; i < 3; i++) {
            struct path child = self;
            child.step[child.length++] = i + 1;
#pragma omp task firstprivate(child)
            visit(child);
        }
        suspended = self;
#pragma omp taskwait
        suspended = outer;
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 4; i++) {
            struct path root = {1, {i + 1}};
#pragma omp task firstprivate(root)
            visit(root);
        }
    }
    CHECK_EQ(violations, 0);
    CHECK_EQ(visits, 4 * 121);
    return verdict();
}
