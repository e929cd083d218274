// The routines for affinity masks of clang's omp.h: masks are made, filled, read, and bind the thread that calls.
//@ compilers: clang
//@ threads: 1 2 3
#include "bound.h"

int main(void) {
    cpu_set_t whole = own_mask();
    int cpu = 0, numbers = kmp_get_affinity_max_proc();
    while (!CPU_ISSET(cpu, &whole)) cpu++;
    CHECK(numbers > cpu, "%d", numbers);

    kmp_affinity_mask_t mask;
    kmp_create_affinity_mask(&mask);
    CHECK(mask != NULL, "a mask");
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &mask), 0);
    CHECK_EQ(kmp_set_affinity_mask_proc(cpu, &mask), 0);
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &mask), 1);
    CHECK_EQ(kmp_unset_affinity_mask_proc(cpu, &mask), 0);
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &mask), 0);
    CHECK_EQ(kmp_set_affinity_mask_proc(-1, &mask), -1);
    CHECK_EQ(kmp_set_affinity_mask_proc(numbers, &mask), -1);
    CHECK_EQ(kmp_get_affinity_mask_proc(-1, &mask), -1);
    CHECK_EQ(kmp_unset_affinity_mask_proc(numbers, &mask), -1);

    CHECK_EQ(kmp_get_affinity(&mask), 0);
    for (int i = 0; i < numbers && i < CPU_SETSIZE; i++) CHECK_EQ(kmp_get_affinity_mask_proc(i, &mask), CPU_ISSET(i, &whole) != 0);
    kmp_destroy_affinity_mask(&mask);
    CHECK(mask == NULL, "the handle is forgotten");

#pragma omp parallel
    {
        kmp_affinity_mask_t one;
        kmp_create_affinity_mask(&one);
        if (omp_get_thread_num() == 0) {
            CHECK_EQ(kmp_set_affinity_mask_proc(cpu, &one), 0);
            CHECK_EQ(kmp_set_affinity(&one), 0);
            CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
        }
        cpu_set_t own = own_mask();
        CHECK_EQ(CPU_COUNT(&own), omp_get_thread_num() == 0 ? 1 : CPU_COUNT(&whole));
        CHECK_EQ(kmp_get_affinity(&one), 0);
        CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &one), 1);
        kmp_destroy_affinity_mask(&one);
    }
    return verdict();
}
