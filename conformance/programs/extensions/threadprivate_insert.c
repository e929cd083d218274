// kmp_threadprivate_insert: each thread's copy begins with the given bytes, and stays the thread's.
//@ compilers: clang
//@ stock-fails: clang because it crashes before a variable has been registered
#include "check.h"

struct copy {
    void *next, *link, *global, *copy;
    size_t size;
};
struct copy *kmp_threadprivate_insert(int gtid, void *data, void *image, size_t size);
void kmp_threadprivate_insert_private_data(int gtid, void *data, void *image, size_t size);
int __kmpc_global_thread_num(void *);

static int variable[4] = {1, 2, 3, 4};

int main(void) {
    int image[4] = {5, 6, 7, 8};
    kmp_threadprivate_insert_private_data(0, variable, image, sizeof image);
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL);
        struct copy *its = kmp_threadprivate_insert(gtid, variable, variable, sizeof variable);
        int *values = (int *)its->copy;
        CHECK(its->global == variable, "another variable");
        CHECK_EQ(its->size, sizeof variable);
        if (omp_get_thread_num() == 0) {
            CHECK(values == variable, "a copy for the initial thread");
            CHECK_EQ(values[3], 4);
        } else {
            CHECK(values != variable, "no copy");
            CHECK_EQ(values[0], 5);
            CHECK_EQ(values[3], 8);
        }
        values[1] = 100 + omp_get_thread_num();
#pragma omp barrier
        CHECK_EQ(values[1], 100 + omp_get_thread_num());
    }
    return verdict();
}
