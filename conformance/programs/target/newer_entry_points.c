// What newer clangs pass to the offload runtime, passed by hand: pointers that become attached, kernel arguments of version 5, null in the
// place of what is not mapped. LLVM's libomptarget 22 and 23; OpenMP 6.0, 7.9.6
//@ compilers: offload
//@ devices: 1 3
//@ stock-fails: offload because libomptarget 19 knows none of this
#include "device.h"
#include "kernel.h"

enum { TO = 1, FROM = 2, ALWAYS = 4, PARAMETER = 0x20, RETURN = 0x40, LITERAL = 0x100, ATTACH = 0x4000, NULLIFY = 0x8000 };

void __tgt_target_data_begin_mapper(void *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);
void __tgt_target_data_end_mapper(void *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);

static struct holder {
    int n;
    int *p;
} holder;
static int data[8];

static void enter(int count, void **bases, void **begins, int64_t *sizes, int64_t *types) {
    __tgt_target_data_begin_mapper(0, -1, count, bases, begins, sizes, types, 0, 0);
}
static void leave(int count, void **bases, void **begins, int64_t *sizes, int64_t *types) {
    __tgt_target_data_end_mapper(0, -1, count, bases, begins, sizes, types, 0, 0);
}

static void attachments(void) {
    holder = (struct holder){8, data};
    void *section[2] = {&data[4], &holder.p}, *begins[2] = {&data[4], &data[4]};
    int64_t sizes[2] = {16, 8}, types[2] = {TO, ATTACH}, back[2] = {FROM, ATTACH};
#pragma omp target enter data map(to : holder)
    section[0] = data;
    enter(2, section, begins, sizes, types);
    int seen = 0;
#pragma omp target map(tofrom : holder, seen)
    {
        seen = holder.p[5];
        holder.p[6] = 60;
    }
    CHECK_EQ(seen, 5);
    CHECK_EQ(data[6], separate() ? 6 : 60);
    leave(2, section, begins, sizes, back);
    CHECK_EQ(data[6], 60);
    // Both are there: only `always` attaches.
    int other[4] = {0, 10, 20, 30};
#pragma omp target enter data map(to : other)
    holder.p = other;
    section[0] = begins[0] = begins[1] = other;
    types[1] |= ALWAYS;
    enter(2, section, begins, sizes, types);
#pragma omp target map(tofrom : holder, seen)
    seen = holder.p[2];
    CHECK_EQ(seen, 20);
#pragma omp target exit data map(from : holder)
    CHECK(holder.p == other, "the host's pointer has changed");
#pragma omp target exit data map(delete : other)
}

static void null_pointers(void) {
    static int absent;
    void *base[1] = {&absent}, *begin[1] = {&absent};
    int64_t size[1] = {0}, keep[1] = {RETURN}, nullify[1] = {RETURN | NULLIFY};
    enter(1, base, begin, size, keep);
    CHECK(base[0] == &absent, "kept");
    enter(1, base, begin, size, nullify);
    CHECK(base[0] == (separate() ? NULL : (void *)&absent), "nullified");
}

// The code of a kernel as clang 23 makes it for the processor: its argument is a list of its arguments' addresses, of which the last one
// is that of the driver's.
#pragma omp declare target
DEVICE_CODE void listed(void **list) {
    DEVICE_NAME(listed);
    int *x = *(int **)list[0];
    long add = *(long *)list[1];
    x[0] += (int)add;
    x[1] = *(void **)list[2] == NULL;
}
#pragma omp end declare target
LISTED_KERNEL(listed)

static void versions(void) {
    int x[2] = {1, 0}, *pointer = x;
    void *bases[4] = {x, (void *)41, &pointer, NULL}, *begins[4] = {x, (void *)41, x, NULL};
    int64_t sizes[4] = {sizeof x, 8, 8, 0};
    int64_t types[4] = {TO | FROM | PARAMETER, PARAMETER | LITERAL, ATTACH, PARAMETER | LITERAL};
    kernel_arguments arguments = {.version = 5, .count = 4, .bases = bases, .begins = begins, .sizes = sizes, .types = types};
    int answer = __tgt_target_kernel(0, -1, -1, 0, &listed_id, &arguments);
    CHECK_EQ(answer != 0, !separate());
    if (answer == 0) {
        CHECK_EQ(x[0], 42);
        CHECK_EQ(x[1], 1);
    }
}

int main(void) {
    for (int i = 0; i < 8; i++) data[i] = i;
    attachments();
    null_pointers();
    versions();
    return verdict();
}
