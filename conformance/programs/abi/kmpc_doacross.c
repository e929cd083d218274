// __kmpc_doacross_*: bounds that do not start at 0, steps up and down, a waiting thread for every pair of loops, sinks outside the
// bounds, and several nests in a row. The vectors name the loop variables' own values. OpenMP 5.1, 2.19.9; LLVM's interface
//@ compilers: clang
#include <stdint.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;
struct bounds {
    int64_t low, high, step;
};
int __kmpc_global_thread_num(location *);
void __kmpc_doacross_init(location *, int, int, const struct bounds *);
void __kmpc_doacross_wait(location *, int, const int64_t *);
void __kmpc_doacross_post(location *, int, const int64_t *);
void __kmpc_doacross_fini(location *, int);
void __kmpc_barrier(location *, int);

static location where = {0, 2, 0, 0, ";abi/kmpc_doacross.c;main;0;0;;"};

enum { ROWS = 12, COLUMNS = 9 };

static int done[ROWS][COLUMNS];

// Rows go to threads in turn; each cell waits for the one above and the one to the left.
static void nest(struct bounds rows, struct bounds columns) {
    int thread = __kmpc_global_thread_num(&where), me = omp_get_thread_num(), threads = omp_get_num_threads();
    struct bounds both[2] = {rows, columns};
    __kmpc_doacross_init(&where, thread, 2, both);
    for (int r = me; r < ROWS; r += threads) {
        for (int c = 0; c < COLUMNS; c++) {
            int64_t i = rows.low + r * rows.step, j = columns.low + c * columns.step;
            int64_t above[] = {i - rows.step, j}, left[] = {i, j - columns.step}, far[] = {i - rows.step, j + COLUMNS * columns.step};
            __kmpc_doacross_wait(&where, thread, above);
            __kmpc_doacross_wait(&where, thread, left);
            __kmpc_doacross_wait(&where, thread, far);
            CHECK(r == 0 || done[r - 1][c], "%d %d before the one above", r, c);
            CHECK(c == 0 || done[r][c - 1], "%d %d before its left", r, c);
            done[r][c] = 1;
            int64_t own[] = {i, j};
            __kmpc_doacross_post(&where, thread, own);
        }
    }
    __kmpc_doacross_fini(&where, thread);
    __kmpc_barrier(&where, thread);
#pragma omp single
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            CHECK_EQ(done[r][c], 1);
            done[r][c] = 0;
        }
}

static struct bounds range(int64_t low, int64_t step, int count) {
    struct bounds result = {low, low + (count - 1) * step, step};
    return result;
}

// A sink between two iterations, or closer to the first one than a step, names no iteration: nothing waits for the one that asks.
static void off_the_steps(int64_t low, int64_t step) {
    int thread = __kmpc_global_thread_num(&where), me = omp_get_thread_num(), threads = omp_get_num_threads();
    struct bounds bounds = {low, low + 9 * step, step};
    __kmpc_doacross_init(&where, thread, 1, &bounds);
    for (int k = me; k < 10; k += threads) {
        int64_t own = low + k * step, towards = step < 0 ? -1 : 1;
        int64_t before = own - towards, behind = own + towards;
        __kmpc_doacross_wait(&where, thread, &before);
        __kmpc_doacross_wait(&where, thread, &behind);
        __kmpc_doacross_post(&where, thread, &own);
    }
    __kmpc_doacross_fini(&where, thread);
    __kmpc_barrier(&where, thread);
}

int main(void) {
#pragma omp parallel
    {
        off_the_steps(10, 2);
        off_the_steps(-7, 5);
        off_the_steps(3, -2);
        off_the_steps(-3, -9);
        nest(range(0, 1, ROWS), range(0, 1, COLUMNS));
        nest(range(-5, 1, ROWS), range(100, 1, COLUMNS));
        nest(range(7, 3, ROWS), range(1000000000000, -1, COLUMNS));
        nest(range(-1, -4, ROWS), range(-3, 5, COLUMNS));
        nest(range(INT64_MIN, 1, ROWS), range(INT64_MAX - COLUMNS, 1, COLUMNS));
        // The last column need not be reached exactly.
        struct bounds rows = {0, 2 * (ROWS - 1) + 1, 2}, columns = range(50, -5, COLUMNS);
        columns.high -= 3;
        nest(rows, columns);
    }
    return verdict();
}
