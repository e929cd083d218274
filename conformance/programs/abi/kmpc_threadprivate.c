// Copies of a threadprivate variable that the program makes itself: a constructor where there is one, a copy constructor otherwise, which
// copies what the variable was at its first use, whatever the initial thread has done with it since.
// OpenMP 5.1, 2.21.2
//@ compilers: clang
//@ stock-fails: clang because its debugging builds take no copy constructor
#include "check.h"

typedef struct {
    int value, made_by;
} object;
enum { PROGRAM, CONSTRUCTOR, COPY_CONSTRUCTOR };
#define COUNT 3

int __kmpc_global_thread_num(void *);
void *__kmpc_threadprivate(void *, int, void *, size_t);
void *__kmpc_threadprivate_cached(void *, int, void *, size_t, void ***);
void __kmpc_threadprivate_register(void *, void *, void *(*)(void *), void *(*)(void *, void *), void (*)(void *));
void __kmpc_threadprivate_register_vec(void *, void *, void *(*)(void *, size_t), void *(*)(void *, void *, size_t),
                                       void (*)(void *, size_t), size_t);

static object both = {5, PROGRAM}, copied = {5, PROGRAM}, several[COUNT] = {{5, PROGRAM}, {6, PROGRAM}, {7, PROGRAM}};
static int plain = 5;

static void *construct(void *to) {
    *(object *)to = (object){0, CONSTRUCTOR};
    return to;
}
static void *copy(void *to, void *from) {
    *(object *)to = (object){((object *)from)->value, COPY_CONSTRUCTOR};
    return to;
}
static void *copy_several(void *to, void *from, size_t count) {
    for (size_t i = 0; i < count; i++) copy((object *)to + i, (object *)from + i);
    return to;
}

int main(void) {
    static void **cache;
    __kmpc_threadprivate_register(NULL, &both, construct, copy, NULL);
    __kmpc_threadprivate_register(NULL, &copied, NULL, copy, NULL);
    __kmpc_threadprivate_register_vec(NULL, several, NULL, copy_several, NULL, COUNT);
    // Who comes first is open: the initial thread, which changes what it has, or another.
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL), initial = omp_get_thread_num() == 0;
        object *first = __kmpc_threadprivate(NULL, gtid, &both, sizeof both);
        object *second = __kmpc_threadprivate(NULL, gtid, &copied, sizeof copied);
        object *third = __kmpc_threadprivate(NULL, gtid, several, sizeof several);
        int *fourth = __kmpc_threadprivate_cached(NULL, gtid, &plain, sizeof plain, &cache);
        if (initial) {
            CHECK(first == &both && second == &copied && third == several && fourth == &plain, "the initial thread has the variable");
            first->value = second->value = third[1].value = *fourth = 100;
        } else {
            CHECK_EQ(first->value, 0);
            CHECK_EQ(first->made_by, CONSTRUCTOR);
            CHECK_EQ(second->value, 5);
            CHECK_EQ(second->made_by, COPY_CONSTRUCTOR);
            CHECK_EQ(third[1].value, 6);
            CHECK_EQ(third[2].made_by, COPY_CONSTRUCTOR);
            CHECK_EQ(*fourth, 5);
        }
        CHECK(__kmpc_threadprivate(NULL, gtid, &copied, sizeof copied) == second, "another copy");
    }
    return verdict();
}
