// Entry points of tasks as newer and older compilers than gcc 12 call them: dependences on all memory in both forms of the list, the
// arguments of GOMP_task of gcc 4.4 to 5, empty tasks in place of a taskwait. libgomp's interface
//@ compilers: gcc
//@ stock-fails: gcc because libgomp 12 knows neither all memory nor taskwait with nowait
#include <stdbool.h>
#include <stdint.h>

#include "check.h"

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int, void *);
void GOMP_taskwait_depend(void **);
// gcc 12's own library does not have it.
__attribute__((weak)) void GOMP_taskwait_depend_nowait(void **);
typedef void old_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned);
typedef void older_depend_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **);

static int order;
struct step {
    int least, most;
    int *where;
};

static void step(void *data) {
    struct step *own = data;
    int now;
    spin_work(500);
#pragma omp atomic capture
    now = ++order;
    CHECK(now >= own->least && now <= own->most, "step %d instead of %d to %d", now, own->least, own->most);
}

static void copy(void *to, void *from) {
    *(struct step *)to = *(struct step *)from;
    ((struct step *)to)->where = &((struct step *)to)->least;
}

static void aligned(void *data) {
    struct step *own = data;
    CHECK((uintptr_t)data % 256 == 0, "at %p", data);
    CHECK(own->where == &own->least, "not copied by the function");
    step(data);
}

static void task(int least, int most, void **depend) {
    struct step data = {least, most, NULL};
    GOMP_task(step, &data, NULL, sizeof data, _Alignof(struct step), true, depend ? 8 : 0, depend, 0, NULL);
}

#define COUNT(n) (void *)(uintptr_t)(n)

int main(void) {
    // Through pointers that the compiler does not see through.
    old_task *volatile oldest = (old_task *)(void *)GOMP_task;
    older_depend_task *volatile older = (older_depend_task *)(void *)GOMP_task;
    int x, y;
    void *out_x[] = {COUNT(1), COUNT(1), &x}, *out_y[] = {COUNT(1), COUNT(1), &y}, *in_both[] = {COUNT(2), COUNT(0), &x, &y};
    void *all[] = {COUNT(2), COUNT(1), NULL, &x};
    void *object[] = {NULL, COUNT(3)}, *mutex_object[] = {&y, COUNT(4)};
    void *new_all[] = {COUNT(0), COUNT(1), COUNT(0), COUNT(0), COUNT(0), object};
    void *new_mix[] = {COUNT(0), COUNT(3), COUNT(1), COUNT(0), COUNT(1), &x, &y, mutex_object};
    for (int round = 0; round < 20; round++) {
        order = 0;
#pragma omp parallel
#pragma omp single
        {
            task(1, 2, out_x);
            task(1, 2, out_y);
            task(3, 3, all);
            task(4, 4, in_both);
            task(5, 5, new_all);
            task(6, 6, new_mix);
            GOMP_taskwait_depend(new_all);
            CHECK_EQ(order, 6);
            task(7, 8, out_x);
            task(7, 8, out_y);
            void *joined[] = {COUNT(0), COUNT(3), COUNT(1), COUNT(0), COUNT(2), &order, &x, &y};
            void *after[] = {COUNT(1), COUNT(0), &order};
            GOMP_taskwait_depend_nowait(joined);
            task(9, 9, after);
        }
        CHECK_EQ(order, 9);
        order = 0;
#pragma omp parallel
#pragma omp single
        {
            struct step data = {1, 3, NULL};
            oldest(step, &data, NULL, sizeof data, 8, true, 0);
            older(step, &data, NULL, sizeof data, 8, true, 8, out_x);
            oldest(aligned, &data, copy, sizeof data, 256, true, 1);
#pragma omp taskwait
            data.least = data.most = 4;
            oldest(aligned, &data, copy, sizeof data, 256, false, 2);
        }
        CHECK_EQ(order, 4);
    }
    return verdict();
}
