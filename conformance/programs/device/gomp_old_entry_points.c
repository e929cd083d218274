// The entry points that older gcc versions compile target constructs to, called directly, and the registration of device code.
//@ compilers: gcc
#include <stdint.h>

#include "check.h"

extern void GOMP_target(int, void (*)(void *), const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_target_data(int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_target_end_data(void);
extern void GOMP_target_update(int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_offload_register(const void *, int, const void *);
extern void GOMP_offload_unregister(const void *, int, const void *);
extern void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
extern void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);

static void region(void *data) {
    int **addresses = data;
    *addresses[0] += *addresses[1];
}

static void empty(void *data) { CHECK(data == NULL || data != NULL, "called"); }

enum { NEVER_USED = 99 };

int main(void) {
    int x = 1, y = 41;
    void *addresses[] = {&x, &y};
    size_t sizes[] = {sizeof x, sizeof y};
    unsigned char kinds[] = {3, 1};
    GOMP_target_data(-1, NULL, 2, addresses, sizes, kinds);
    GOMP_target(-1, region, NULL, 2, addresses, sizes, kinds);
    GOMP_target_update(-1, NULL, 2, addresses, sizes, kinds);
    GOMP_target_end_data();
    CHECK_EQ(x, 42);
    GOMP_target(-2, region, NULL, 2, addresses, sizes, kinds);
    CHECK_EQ(x, 83);
    GOMP_target(-1, empty, NULL, 0, NULL, NULL, NULL);
#pragma omp parallel
    {
        int mine = omp_get_thread_num(), two = 2;
        void *own[] = {&mine, &two};
        GOMP_target(5, region, NULL, 2, own, sizes, kinds);
        CHECK_EQ(mine, omp_get_thread_num() + 2);
    }
    CHECK_EQ(omp_get_num_devices(), 0);
    return verdict();
}
