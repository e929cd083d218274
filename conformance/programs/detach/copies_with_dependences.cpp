// The firstprivate object of a task with an event is copied by a function that generates tasks with dependences itself: their waits
// are their own, and the undeferred task's wait is that one's. OpenMP 5.1, 2.12.1 (detach, if), 2.19.11
//@ compilers: clang
#include "check.h"

static int dependence, ran;

struct Copied {
    int depth;
    explicit Copied(int depth) : depth(depth) {}
    Copied(const Copied &other) : depth(other.depth - 1) {
        if (other.depth <= 0) return;
#pragma omp task depend(out : dependence)
        ran++;
#pragma omp task if (0) depend(inout : dependence)
        ran++;
#pragma omp task if (0) depend(inout : dependence)
        {
#pragma omp task if (0)
            ran++;
            int own = 0;
#pragma omp task if (0) depend(inout : own) shared(own)
            own++;
            CHECK_EQ(own, 1);
        }
        if (other.depth > 1) {
            Copied inner(other.depth - 1);
#pragma omp task if (0) firstprivate(inner) depend(inout : dependence)
            {
                inner.depth = 0;
                ran++;
            }
        }
    }
};

int main() {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int depth = 1; depth <= 2; depth++) {
        for (int i = 0; i < 20; i++) {
            ran = 0;
            Copied object(depth);
            omp_event_handle_t event;
            int of_event = 0, after = 0;
#pragma omp task detach(event) firstprivate(object)
            {
                object.depth = 0;
#pragma omp atomic
                ran += 10;
            }
            omp_fulfill_event(event);
#pragma omp taskwait
            CHECK_EQ(ran, (depth == 1 ? 3 : 7) + 10);

            // The same with an undeferred task, for whose event its successor waits.
            ran = 0;
#pragma omp task if (0) detach(event) firstprivate(object) depend(out : of_event) shared(of_event)
            {
                object.depth = 0;
                of_event = 1;
                ran += 10;
            }
#pragma omp task depend(in : of_event) shared(after)
            {
#pragma omp atomic write
                after = 1;
            }
            int early;
#pragma omp atomic read
            early = after;
            CHECK_EQ(early, 0);
            omp_fulfill_event(event);
#pragma omp taskwait
            CHECK_EQ(after, 1);
            CHECK_EQ(ran, (depth == 1 ? 3 : 7) + 10);
        }
    }
    return verdict();
}
