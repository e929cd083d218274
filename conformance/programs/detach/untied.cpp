// Detachable tasks that are untied, have objects with destructors, a priority: the objects are destroyed when the body has returned.
// OpenMP 5.1, 2.12.1 (detach clause)
//@ needs: gcc 11
#include "check.h"

static int alive;

struct Counted {
    Counted() {
#pragma omp atomic
        alive++;
    }
    Counted(const Counted &) {
#pragma omp atomic
        alive++;
    }
    ~Counted() {
#pragma omp atomic
        alive--;
    }
};

int main() {
    int done = 0;
    {
        Counted object;
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 20; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) untied firstprivate(object) shared(done) priority(i)
            {
#pragma omp taskyield
                (void)object;
#pragma omp atomic
                done++;
            }
#pragma omp task firstprivate(event)
            omp_fulfill_event(event);
        }
    }
    CHECK_EQ(done, 20);
    CHECK_EQ(alive, 0);
    return verdict();
}
