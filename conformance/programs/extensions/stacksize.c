// kmp_set_stacksize_s gives the workers that much stack; once there are workers it changes nothing.
//@ compilers: clang
#include "check.h"
#include <string.h>

int main(void) {
    CHECK(kmp_get_stacksize() > 0, "none");
    kmp_set_stacksize(3 << 20);
    CHECK_EQ(kmp_get_stacksize_s(), 3 << 20);
    kmp_set_stacksize_s((size_t)64 << 20);
    CHECK_EQ(kmp_get_stacksize_s(), (size_t)64 << 20);
    CHECK_EQ(kmp_get_stacksize(), 64 << 20);
    long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        // More than the eight megabytes that are usual; the initial thread has those.
        size_t bytes = omp_get_thread_num() == 0 ? 4096 : (size_t)40 << 20;
        char room[bytes];
        memset(room, 1, bytes);
        sum += room[bytes - 1] + room[bytes / 2];
    }
    CHECK_EQ(sum, 4);
    kmp_set_stacksize_s((size_t)1 << 20);
    CHECK_EQ(kmp_get_stacksize_s(), (size_t)64 << 20);
    return verdict();
}
