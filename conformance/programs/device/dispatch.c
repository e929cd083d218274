// dispatch: the variant is called with its arguments adjusted, its further ones are objects for interoperability, and the tasks that the
// construct depends on come first. OpenMP 5.1, 2.3.5, 2.3.6; OpenMP 6.0, sections 9.6.2, 9.6.3, 9.7
//@ compilers: gcc
//@ needs: gcc 15
#include "check.h"

static int variants, nones, on_device;

static void variant(int *a, int *b, omp_interop_t first, omp_interop_t second) {
    variants++;
    nones += (first == omp_interop_none) + (second == omp_interop_none);
    on_device += omp_target_is_present(a, omp_get_default_device());
    a[0] += b[0];
}
#pragma omp declare variant(variant) match(construct = {dispatch}) adjust_args(need_device_ptr : a) adjust_args(nothing : b) \
    append_args(interop(target), interop(targetsync, prefer_type("cuda")))
static void base(int *a, int *b) { a[0] -= b[0]; }

static int add(int x) { return x + 1; }
#pragma omp declare variant(add) match(construct = {dispatch})
static int keep(int x) { return x; }

int main(void) {
    int a[] = {10}, b[] = {3}, x = 0;
    base(a, b);
    CHECK_EQ(a[0], 7);
#pragma omp dispatch
    base(a, b);
    CHECK_EQ(a[0], 10);
    omp_interop_t mine = omp_interop_none;
#pragma omp dispatch interop(mine, mine) device(omp_initial_device)
    base(a, b);
    CHECK_EQ(a[0], 13);
    int *pointer = a;
#pragma omp dispatch is_device_ptr(pointer)
    base(pointer, b);
    CHECK_EQ(a[0], 16);
#pragma omp dispatch novariants(1)
    base(a, b);
    CHECK_EQ(a[0], 13);
#pragma omp dispatch nocontext(1)
    x = keep(1);
    CHECK_EQ(x, 1);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        {
            spin_work(100000);
            x = 5;
        }
#pragma omp dispatch depend(inout : x)
        x = keep(x);
    }
    CHECK_EQ(x, 6);
    CHECK_EQ(variants, 3);
    CHECK_EQ(nones, 6);
    CHECK_EQ(on_device, 3);
    return verdict();
}
