// __kmpc_dist_for_static_init_{4,4u,8,8u} outside a teams region, that is in a league of one: each iteration once, whole blocks in
// thread order, chunks in turn, and the league's share is everything. OpenMP 5.1, 2.11.6.3 (distribute parallel loop)
//@ compilers: clang
//@ stock-fails: clang because libomp takes it inside a teams region only
#include <stdint.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;

#define DECLARE(suffix, type, step_type)                                                                                     \
    void __kmpc_dist_for_static_init_##suffix(location *, int, int, int *, type *, type *, type *, step_type *, step_type, step_type);

DECLARE(4, int32_t, int32_t)
DECLARE(4u, uint32_t, int32_t)
DECLARE(8, int64_t, int64_t)
DECLARE(8u, uint64_t, int64_t)
int __kmpc_global_thread_num(location *);
void __kmpc_for_static_fini(location *, int);

enum { STATIC_CHUNKED = 33, STATIC = 34, MOST = 70 };

static location where = {0, 2, 0, 0, ";abi/kmpc_distribute.c;main;0;0;;"};

#define TRY(suffix, type, step_type, from, n, chunk)                                                                         \
    do {                                                                                                                     \
        int hits[MOST] = {0}, owner[MOST], lasts = 0;                                                                        \
        _Pragma("omp parallel reduction(+ : lasts)")                                                                         \
        {                                                                                                                    \
            type low = (type)(from), high = (type)((type)(from) + (n) - 1), share = 0, end = high;                           \
            step_type stride = 0;                                                                                            \
            int last = 0, thread = __kmpc_global_thread_num(&where), mine = omp_get_thread_num();                            \
            __kmpc_dist_for_static_init_##suffix(&where, thread, (chunk) ? STATIC_CHUNKED : STATIC, &last, &low, &high,      \
                                                 &share, &stride, 1, (chunk) ? (chunk) : 1);                                 \
            CHECK(share == end, #suffix ": the league's share ends at %lld", (long long)share);                              \
            do {                                                                                                             \
                type top = high < end ? high : end;                                                                          \
                for (type i = low; i <= top && i >= (type)(from); i++) {                                                     \
                    owner[i - (type)(from)] = mine;                                                                          \
                    __atomic_fetch_add(&hits[i - (type)(from)], 1, __ATOMIC_RELAXED);                                        \
                }                                                                                                            \
                low += (type)stride, high += (type)stride;                                                                   \
            } while ((chunk) && low <= end && low > (type)(from));                                                           \
            lasts += last;                                                                                                   \
            __kmpc_for_static_fini(&where, thread);                                                                          \
        }                                                                                                                    \
        for (int i = 0; i < MOST; i++) CHECK(hits[i] == (i < (n)), #suffix " %d of %d: %d", i, n, hits[i]);                  \
        for (int i = 1; i < (n) && !(chunk); i++) CHECK(owner[i] >= owner[i - 1], #suffix " %d of %d", i, n);                \
        for (int i = 0; i < (n) && (chunk); i++) CHECK_EQ(owner[i], i / ((chunk) ? (chunk) : 1) % omp_get_max_threads());    \
        CHECK_EQ(lasts, 1);                                                                                                  \
    } while (0)

int main(void) {
    for (int n = 1; n <= MOST; n += 1 + n / 5) {
        for (int chunk = 0; chunk <= 8; chunk += 4) {
            TRY(4, int32_t, int32_t, -30, n, chunk);
            TRY(4u, uint32_t, int32_t, 4294967000u, n, chunk);
            TRY(8, int64_t, int64_t, -9000000000, n, chunk);
            TRY(8u, uint64_t, int64_t, 18446744073709551000ul, n, chunk);
        }
    }
    return verdict();
}
