// Memory spaces of devices, and allocators of them: blocks are the device's memory, which regions there use and the host copies from; spaces
// for several devices or for the host as well have memory that all of them use by the same address. OpenMP 6.0, chapter 27
//@ compilers: offload
//@ libs: dl
//@ devices: 1 3
//@ stock-fails: offload because it lacks the routines
#define _GNU_SOURCE
#include "../memory/device_spaces.h"
#include "device.h"

enum { N = 1000 };

// The routine of OpenMP 5.1, which LLVM 19 has in its header alone.
static int (*is_accessible)(const void *, size_t, int);

// Fills a block on one device, and reads it on the host by a copy.
static void use(int device, omp_allocator_handle_t allocator, int shared) {
    int host = omp_get_initial_device(), copy[N], sum = 0;
    int *block = omp_alloc(N * sizeof *block, allocator);
    CHECK(block && is_accessible(block, N * sizeof *block, device), "memory of device %d", device);
#pragma omp target is_device_ptr(block) device(device)
    for (int i = 0; i < N; i++) block[i] = i + device;
    CHECK_EQ(omp_target_memcpy(copy, block, sizeof copy, 0, 0, host, device), 0);
    for (int i = 0; i < N; i++) CHECK(copy[i] == i + device, "element %d is %d", i, copy[i]);
    block = omp_realloc(block, 2 * N * sizeof *block, allocator, allocator);
    CHECK(block, "a larger block");
#pragma omp target is_device_ptr(block) device(device) map(tofrom : sum)
    for (int i = 0; i < N; i++) block[N + i] = block[i], sum += block[i];
    CHECK_EQ(sum, N * (N - 1) / 2 + N * device);
    if (shared) CHECK_EQ(block[2 * N - 1], N - 1 + device);
    omp_free(block, allocator);

    int zero = 1;
    char *zeroes = omp_aligned_calloc(4096, N, 1, allocator);
    CHECK(zeroes && (uintptr_t)zeroes % 4096 == 0, "zeroes: %p", zeroes);
#pragma omp target is_device_ptr(zeroes) device(device) map(tofrom : zero)
    for (int i = 0; i < N; i++) zero &= zeroes[i] == 0;
    CHECK(zero, "not zero");
    omp_free(zeroes, allocator);
}

int main(void) {
    CHECK_EQ(look_up(), 0);
    is_accessible = (int (*)(const void *, size_t, int))dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
    int count = omp_get_num_devices(), all[64];
    for (int d = 0; d < count; d++) {
        all[d] = d;
        handle space = device_memspace(d, DEFAULT_SPACE), both = device_and_host_memspace(d, DEFAULT_SPACE);
        CHECK(space != NO_SPACE && both != NO_SPACE && space != both, "spaces of device %d", d);
        CHECK_EQ(device_memspace(d, DEFAULT_SPACE), space);
        CHECK_EQ(memspace_num_resources(space), 1);
        use(d, (omp_allocator_handle_t)device_allocator(d, DEFAULT_SPACE), 0);
        use(d, (omp_allocator_handle_t)device_and_host_allocator(d, DEFAULT_SPACE), 1);
        CHECK_EQ(device_allocator(d, DEFAULT_SPACE), device_allocator(d, DEFAULT_SPACE));
        // It is not the program's to end.
        omp_destroy_allocator((omp_allocator_handle_t)device_allocator(d, DEFAULT_SPACE));
        use(d, (omp_allocator_handle_t)device_allocator(d, DEFAULT_SPACE), 0);

        omp_alloctrait_t traits[] = {{omp_atk_alignment, 512}, {omp_atk_pool_size, 100 * N}, {omp_atk_fallback, omp_atv_null_fb}};
        omp_allocator_handle_t made = omp_init_allocator((omp_memspace_handle_t)space, 3, traits);
        CHECK(made != omp_null_allocator, "an allocator of device %d", d);
        void *p = omp_alloc(60 * N, made);
        CHECK(p && (uintptr_t)p % 512 == 0, "alignment: %p", p);
        CHECK(!omp_alloc(60 * N, made), "the pool");
        omp_free(p, made);
        use(d, made, 0);
        omp_destroy_allocator(made);
    }
    handle together = devices_and_host_memspace(count, all, DEFAULT_SPACE);
    CHECK_EQ(memspace_num_resources(together), count);
    CHECK_EQ(devices_all_memspace(DEFAULT_SPACE), together);
    for (int d = 0; d < count; d++) {
        use(d, (omp_allocator_handle_t)devices_all_allocator(DEFAULT_SPACE), 1);
        handle part = submemspace(together, 1, &d);
        CHECK_EQ(memspace_num_resources(part), 1);
        omp_alloctrait_t trait = {(omp_alloctrait_key_t)10, (omp_uintptr_t)d};
        omp_allocator_handle_t preferring = omp_init_allocator((omp_memspace_handle_t)together, 1, &trait);
        use(d, preferring, 1);
        omp_destroy_allocator(preferring);
    }
    CHECK_EQ(device_memspace(count + 1, DEFAULT_SPACE), NO_SPACE);
    // Memory that devices alone can use is not the host's.
    CHECK_EQ(device_and_host_memspace(0, DEVICE_SPACE), NO_SPACE);
    CHECK_EQ(device_memspace(0, DEVICE_SPACE) != NO_SPACE, 1);
    use(omp_get_default_device(), llvm_omp_target_device_mem_alloc, 0);
    use(omp_get_default_device(), llvm_omp_target_shared_mem_alloc, 1);
    // A block of the host becomes a device's, and the other way round.
    int *block = omp_alloc(N * sizeof *block, omp_default_mem_alloc);
    for (int i = 0; i < N; i++) block[i] = i;
    block = omp_realloc(block, N * sizeof *block, (omp_allocator_handle_t)device_allocator(0, DEFAULT_SPACE), omp_default_mem_alloc);
    CHECK(is_accessible(block, N * sizeof *block, 0), "the device's");
    block = omp_realloc(block, 2 * N * sizeof *block, omp_default_mem_alloc, omp_null_allocator);
    for (int i = 0; i < N; i++) CHECK(block[i] == i, "element %d is %d", i, block[i]);
    omp_free(block, omp_null_allocator);
    return verdict();
}
