// __kmpc_process_loop_nest_rectang and __kmpc_calc_original_ivs_rectang: trip counts, and the loop variables of each number, for every
// type, comparison and direction; bounds become inclusive. OpenMP 5.1, 2.11.2; LLVM's interface
//@ compilers: clang
//@ needs: clang 17
#include <stdint.h>

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
enum { UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 };
enum { LE, GE, NE, LT, GT };

uint64_t __kmpc_process_loop_nest_rectang(location *, int, loop *, int);
void __kmpc_calc_original_ivs_rectang(location *, uint64_t, const loop *, uint64_t *, int);

static location where = {0, 2, 0, 0, ";abi/kmpc_rectangular.c;main;0;0;;"};

static loop make(int type, int64_t low, int comparison, int64_t high, int64_t step) {
    loop result = {type, type, comparison, 0, (uint64_t)low, 0, (uint64_t)high, 0, step, 0};
    return result;
}

static void expect(loop one, uint64_t trips, int64_t first, int64_t last) {
    loop nest[2] = {one, make(INT32, 0, LT, 3, 1)};
    CHECK_EQ(__kmpc_process_loop_nest_rectang(&where, 0, nest, 2), 3 * trips);
    CHECK_EQ(nest[0].trips, trips);
    CHECK_EQ(nest[1].trips, 3);
    CHECK(nest[0].comparison == LE || nest[0].comparison == GE, "comparison %d", nest[0].comparison);
    if (trips == 0) return;
    uint64_t values[2];
    __kmpc_calc_original_ivs_rectang(&where, 0, nest, values, 2);
    CHECK_EQ(values[0], first);
    CHECK_EQ(values[1], 0);
    __kmpc_calc_original_ivs_rectang(&where, 3 * trips - 1, nest, values, 2);
    CHECK_EQ(values[0], last);
    CHECK_EQ(values[1], 2);
}

int main(void) {
    expect(make(INT32, 0, LT, 10, 1), 10, 0, 9);
    expect(make(INT32, 0, LE, 10, 3), 4, 0, 9);
    expect(make(INT32, 10, GT, -10, -4), 5, 10, -6);
    expect(make(INT32, 10, GE, -10, -5), 5, 10, -10);
    expect(make(INT32, 2, NE, 8, 2), 3, 2, 6);
    expect(make(INT32, 8, NE, 2, -2), 3, 8, 4);
    expect(make(INT32, 5, LT, 5, 1), 0, 0, 0);
    expect(make(INT32, 4, GE, 5, -1), 0, 0, 0);
    expect(make(UINT32, 4294967290u, LE, 4294967295u, 1), 6, 4294967290u, 4294967295u);
    expect(make(UINT32, 7, GT, 2, -3), 2, 7, 4);
    expect(make(UINT64, -6, LE, -1, 2), 3, -6, -2);
    expect(make(INT64, INT64_MIN, LE, INT64_MIN + 4, 4), 2, INT64_MIN, INT64_MIN + 4);
    expect(make(INT64, INT64_MAX, GT, INT64_MAX - 3, -1), 3, INT64_MAX, INT64_MAX - 2);
    // Every number of a nest of four, in order.
    loop nest[4] = {make(INT32, 1, LT, 4, 1), make(UINT32, 9, GE, 5, -2), make(INT64, -4, LE, 4, 4), make(UINT64, 0, NE, 2, 1)};
    CHECK_EQ(__kmpc_process_loop_nest_rectang(&where, 0, nest, 4), 3 * 3 * 3 * 2);
    // The threads share the description: it is only read.
#pragma omp parallel
    {
        uint64_t number = 0, values[4];
        for (int a = 1; a < 4; a++)
            for (unsigned b = 9; b >= 5; b -= 2)
                for (long c = -4; c <= 4; c += 4)
                    for (unsigned long d = 0; d != 2; d++) {
                        __kmpc_calc_original_ivs_rectang(&where, number++, nest, values, 4);
                        CHECK((int)values[0] == a && (unsigned)values[1] == b && (long)values[2] == c && values[3] == d, "number %lu",
                              (unsigned long)number - 1);
                    }
    }
    return verdict();
}
