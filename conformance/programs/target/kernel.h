// Kernel arguments, and kernels of a program's own making: code of the device that the program registers as the region `NAME_id`.
#ifndef CORPUS_KERNEL_H
#define CORPUS_KERNEL_H

#include <stdint.h>

typedef struct {
    uint32_t version, count;
    void **bases, **begins;
    int64_t *sizes, *types;
    void **names, **mappers;
    uint64_t trip_count, flags;
    uint32_t teams[3], threads[3], memory;
} kernel_arguments;

int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, kernel_arguments *arguments);

#if __clang_major__ >= 21
#define KERNEL_SECTION "llvm_offload_entries"
struct kernel_entry {
    uint64_t reserved;
    uint16_t version, kind;
    uint32_t flags;
    void *address;
    const char *name;
    uint64_t size, data;
    void *auxiliary;
};
#define KERNEL_ENTRY(id, name) {0, 1, 1, 0, id, name, 0, 0, 0}
#else
#define KERNEL_SECTION "omp_offloading_entries"
struct kernel_entry {
    void *address;
    const char *name;
    uint64_t size;
    int32_t flags, data;
};
#define KERNEL_ENTRY(id, name) {id, name, 0, 0, 0}
#endif

// What such code is declared with, and what it begins with: clang hides functions of the device, so that it gets another name.
#define DEVICE_CODE __attribute__((noinline, used))
#define DEVICE_NAME(function) __asm__ volatile(".globl device_" #function "\n.set device_" #function ", " #function)
// A target region that is never executed: without one, the code is not made for the device.
#define LISTED_KERNEL(function)                                                                                                  \
    void function##_region(void **list) {                                                                                        \
        _Pragma("omp target map(to : list[0 : 1])") function(list);                                                              \
    }                                                                                                                            \
    static char function##_id;                                                                                                   \
    __attribute__((section(KERNEL_SECTION), used)) static struct kernel_entry function##_entry = KERNEL_ENTRY(&function##_id, "device_" #function);

#endif
