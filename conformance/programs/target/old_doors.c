// The entry points by which older compilers reach the offload runtime: what clang emits today is handed on to each of them in turn.
//@ compilers: offload
//@ devices: 1 3
//@ needs: clang 16
//@ stock-fails: offload because its older entry points call the newest one by its name, which is the program's here
#include "device.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint32_t version, count;
    void **bases, **begins;
    int64_t *sizes, *types;
    void **names, **mappers;
    uint64_t trip_count, flags;
    uint32_t teams[3], threads[3], memory;
} kernel_arguments;

int __tgt_target(int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *);
int __tgt_target_nowait(int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *, int32_t, void *, int32_t, void *);
int __tgt_target_mapper(void *, int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);
int __tgt_target_nowait_mapper(void *, int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *, void **, void **, int32_t,
                               void *, int32_t, void *);
int __tgt_target_teams(int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *, int32_t, int32_t);
int __tgt_target_teams_nowait(int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *, int32_t, int32_t, int32_t, void *,
                              int32_t, void *);
int __tgt_target_teams_mapper(void *, int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *, void **, void **, int32_t,
                              int32_t);
int __tgt_target_teams_nowait_mapper(void *, int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *, void **, void **,
                                     int32_t, int32_t, int32_t, void *, int32_t, void *);
int __tgt_target_kernel_nowait(void *, int64_t, int32_t, int32_t, void *, kernel_arguments *, int32_t, void *, int32_t, void *);
void __kmpc_push_target_tripcount(int64_t, uint64_t);
void __kmpc_push_target_tripcount_mapper(void *, int64_t, uint64_t);
void __tgt_target_data_begin(int64_t, int32_t, void **, void **, int64_t *, int64_t *);
void __tgt_target_data_end(int64_t, int32_t, void **, void **, int64_t *, int64_t *);
void __tgt_target_data_update(int64_t, int32_t, void **, void **, int64_t *, int64_t *);
void __tgt_target_data_begin_nowait(int64_t, int32_t, void **, void **, int64_t *, int64_t *, int32_t, void *, int32_t, void *);
void __tgt_target_data_end_nowait(int64_t, int32_t, void **, void **, int64_t *, int64_t *, int32_t, void *, int32_t, void *);
void __tgt_target_data_update_nowait(int64_t, int32_t, void **, void **, int64_t *, int64_t *, int32_t, void *, int32_t, void *);

static int way, calls;

// The code of kernels of clang 23 takes its arguments as no older entry point passes them.
#if __clang_major__ >= 23
enum { FIRST = 10, LAST = 10, ADDED = 11 };
#else
enum { FIRST = 0, LAST = 10, ADDED = 66 };
#endif

// Stands in the place of the runtime's. Kernels of clang 19 have an argument before the others, which older ones have not: here it is
// one of the list.
int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, kernel_arguments *arguments) {
    enum { LITERAL_ARGUMENT = 0x120 };
    void *bases[9] = {0}, *begins[9] = {0};
    int64_t sizes[9] = {0}, types[9] = {LITERAL_ARGUMENT};
    int count = (int)arguments->count;
    memcpy(bases + 1, arguments->bases, count * sizeof *bases);
    memcpy(begins + 1, arguments->begins, count * sizeof *begins);
    memcpy(sizes + 1, arguments->sizes, count * sizeof *sizes);
    memcpy(types + 1, arguments->types, count * sizeof *types);
    kernel_arguments changed = *arguments;
    changed.count = ++count;
    changed.bases = bases;
    changed.begins = begins;
    changed.sizes = sizes;
    changed.types = types;
    changed.names = changed.mappers = 0;
    calls++;
    switch (way) {
    case 0: return __tgt_target(device, id, count, bases, begins, sizes, types);
    case 1: return __tgt_target_nowait(device, id, count, bases, begins, sizes, types, 0, 0, 0, 0);
    case 2: return __tgt_target_mapper(loc, device, id, count, bases, begins, sizes, types, 0, 0);
    case 3: return __tgt_target_nowait_mapper(loc, device, id, count, bases, begins, sizes, types, 0, 0, 0, 0, 0, 0);
    case 4: return __tgt_target_teams(device, id, count, bases, begins, sizes, types, teams, threads);
    case 5: return __tgt_target_teams_nowait(device, id, count, bases, begins, sizes, types, teams, threads, 0, 0, 0, 0);
    case 6:
        __kmpc_push_target_tripcount(device, 100);
        return __tgt_target_teams_mapper(loc, device, id, count, bases, begins, sizes, types, 0, 0, teams, threads);
    case 7:
        __kmpc_push_target_tripcount_mapper(loc, device, 100);
        return __tgt_target_teams_nowait_mapper(loc, device, id, count, bases, begins, sizes, types, 0, 0, teams, threads, 0, 0, 0, 0);
    case 8:
        // What follows the trip count is not there in the first version.
        changed.version = 1;
        memset(&changed.flags, 0xff, sizeof changed - offsetof(kernel_arguments, flags));
        return __tgt_target_kernel_nowait(loc, device, teams, threads, id, &changed, 0, 0, 0, 0);
    case 9:
        changed.version = 2;
        return __tgt_target_kernel_nowait(loc, device, teams, threads, id, &changed, 0, 0, 0, 0);
    default: return __tgt_target_kernel_nowait(loc, device, teams, threads, id, arguments, 0, 0, 0, 0);
    }
}

// Without debug information, which the calls that clang adds would have to have here.
__attribute__((nodebug)) int main(void) {
    int a[20];
    FILL(a, 20, 0);
    for (way = FIRST; way <= LAST; way++) {
        int add = way + 1;
#pragma omp target map(tofrom : a)
        for (int i = 0; i < 20; i++) a[i] += add;
    }
    for (int i = 0; i < 20; i++) CHECK_EQ(a[i], ADDED);
    CHECK_EQ(calls, LAST - FIRST + 1);
    for (way = 4; way < 8 && FIRST == 0; way++) {
#pragma omp target teams distribute parallel for map(tofrom : a) num_teams(2) thread_limit(2)
        for (int i = 0; i < 20; i++) a[i]++;
    }
    for (int i = 0; i < 20; i++) CHECK_EQ(a[i], FIRST == 0 ? ADDED + 4 : ADDED);
    // Data environments, with and without nowait.
    enum { TO = 1, FROM = 2 };
    void *address[1] = {a};
    int64_t size[1] = {sizeof a}, to[1] = {TO}, from[1] = {FROM};
    way = FIRST;
    __tgt_target_data_begin(-1, 1, address, address, size, to);
    a[0] = 1;
    __tgt_target_data_update(-1, 1, address, address, size, to);
#pragma omp target
    a[0]++;
    CHECK_EQ(a[0], separate() ? 1 : 2);
    __tgt_target_data_end(-1, 1, address, address, size, from);
    CHECK_EQ(a[0], 2);
    __tgt_target_data_begin_nowait(-1, 1, address, address, size, to, 0, 0, 0, 0);
#pragma omp target
    a[0]++;
    __tgt_target_data_update_nowait(-1, 1, address, address, size, from, 0, 0, 0, 0);
    CHECK_EQ(a[0], 3);
    __tgt_target_data_end_nowait(-1, 1, address, address, size, from, 0, 0, 0, 0);
    CHECK_EQ(a[0], 3);
    return verdict();
}
