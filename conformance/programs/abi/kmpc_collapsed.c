// __kmpc_for_collapsed_init: triangles, parallelograms, a tetrahedron and a rectangle, upwards and downwards: the threads' pieces are
// consecutive, cover each iteration once, and one thread has the last. OpenMP 5.1, 2.11.2 (non-rectangular loop nests); LLVM's interface
//@ compilers: clang
//@ stock-fails: clang because under libomp no thread has the last iteration of a triangle, and nests that count down abort
//@ needs: clang 17
#include <stdint.h>
#include <string.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;
typedef struct {
    int32_t type, variable_type, comparison, outer;
    uint64_t low, low_factor, high, high_factor;
    int64_t step;
    uint64_t trips;
} loop;
enum { UINT32 = 4, INT32, UINT64, INT64 };
enum { LE, GE, NE, LT, GT };
enum { DEPTH = 3, MOST = 4000 };

int __kmpc_global_thread_num(location *);
int __kmpc_for_collapsed_init(location *, int, loop *, loop *, int, int *);
void __kmpc_for_static_fini(location *, int);

static location where = {0, 2, 0, 0, ";abi/kmpc_collapsed.c;main;0;0;;"};

static loop make(int type, int outer, int64_t low, int64_t low_factor, int comparison, int64_t high, int64_t high_factor, int64_t step) {
    loop result = {type, type, comparison, outer, (uint64_t)low, (uint64_t)low_factor, (uint64_t)high, (uint64_t)high_factor, step, 0};
    return result;
}

static int64_t space[MOST][DEPTH];
static int hits[MOST], count;

static int64_t bound(uint64_t number, uint64_t factor, int64_t outer) { return (int64_t)(number + factor * (uint64_t)outer); }

// Lists the iterations as the loops have them. Bounds of the tests are small enough for signed arithmetic in any type.
static void list(const loop *nest, int depth, int level, int64_t *values) {
    if (level == depth) {
        memcpy(space[count++], values, sizeof *space);
        return;
    }
    const loop *l = &nest[level];
    int64_t outer = level ? values[l->outer] : 0, value = bound(l->low, l->low_factor, outer), end = bound(l->high, l->high_factor, outer);
    for (;; value += l->step) {
        int inside = l->comparison == LE ? value <= end : l->comparison == GE ? value >= end : l->comparison == LT ? value < end
                   : l->comparison == GT ? value > end : value != end;
        if (!inside) return;
        values[level] = value;
        list(nest, depth, level + 1, values);
    }
}

static int find(const loop *chunk, int depth, int upper) {
    for (int k = 0; k < count; k++) {
        int same = 1;
        for (int level = 0; level < depth; level++)
            same &= (int64_t)(upper ? chunk[level].high : chunk[level].low) == space[k][level];
        if (same) return k;
    }
    return -1;
}

static void check_nest(const char *what, const loop *nest, int depth) {
    int64_t values[DEPTH] = {0};
    int lasts = 0;
    count = 0;
    memset(hits, 0, sizeof hits);
    list(nest, depth, 0, values);
#pragma omp parallel reduction(+ : lasts)
    {
        loop own[DEPTH], chunk[DEPTH];
        int last = -1, thread = __kmpc_global_thread_num(&where);
        memcpy(own, nest, sizeof(loop) * (unsigned)depth);
        if (__kmpc_for_collapsed_init(&where, thread, own, chunk, depth, &last)) {
            int first = find(chunk, depth, 0), end = find(chunk, depth, 1);
            // The last piece may end at bounds that no iteration has.
            if (end < 0 && last) end = count - 1;
            CHECK(first >= 0 && end >= first, "%s: piece from %d to %d", what, first, end);
            for (int k = first; k >= 0 && k <= end; k++) __atomic_fetch_add(&hits[k], 1, __ATOMIC_RELAXED);
            CHECK(last == (end == count - 1), "%s: last is %d at %d of %d", what, last, end, count);
            lasts += last;
        } else {
            CHECK_EQ(last, 0);
        }
        __kmpc_for_static_fini(&where, thread);
    }
    for (int k = 0; k < count; k++) CHECK(hits[k] == 1, "%s: %d of %d ran %d times", what, k, count, hits[k]);
    CHECK(lasts == (count > 0), "%s: %d threads have the last iteration", what, lasts);
}

int main(void) {
    for (int type = UINT32; type <= INT64; type++) {
        loop rectangle[] = {make(type, 0, 2, 0, LT, 9, 0, 1), make(type, 0, 0, 0, LE, 10, 0, 3)};
        check_nest("rectangle", rectangle, 2);
        loop upper[] = {make(type, 0, 0, 0, LT, 20, 0, 1), make(type, 0, 0, 1, LT, 20, 0, 1)};
        check_nest("upper triangle", upper, 2);
        loop lower[] = {make(type, 0, 0, 0, LT, 20, 0, 1), make(type, 0, 0, 0, LE, 0, 1, 1)};
        check_nest("lower triangle", lower, 2);
        loop band[] = {make(type, 0, 5, 0, LT, 20, 0, 2), make(type, 0, 1, 1, LT, 6, 1, 1)};
        check_nest("band", band, 2);
        loop tetrahedron[] = {make(type, 0, 0, 0, LE, 9, 0, 1), make(type, 0, 0, 1, LE, 9, 0, 1), make(type, 1, 0, 1, LE, 12, 0, 2)};
        check_nest("tetrahedron", tetrahedron, 3);
        loop sparse[] = {make(type, 0, 0, 0, LT, 40, 0, 1), make(type, 0, 38, 0, LE, 0, 1, 1)};
        check_nest("few inner iterations", sparse, 2);
        loop none[] = {make(type, 0, 0, 0, LT, 10, 0, 1), make(type, 0, 20, 0, LT, 0, 1, 1)};
        check_nest("no iterations", none, 2);
    }
    for (int type = INT32; type <= INT64; type += 2) {
        loop down[] = {make(type, 0, 15, 0, GE, -3, 0, -2), make(type, 0, 0, 1, GT, -5, 0, -1)};
        check_nest("downwards", down, 2);
        loop mixed[] = {make(type, 0, -8, 0, LE, 8, 0, 4), make(type, 0, 4, -1, GE, -12, 0, -3), make(type, 0, 0, 0, LT, 10, 1, 1)};
        check_nest("mixed", mixed, 3);
    }
    return verdict();
}
