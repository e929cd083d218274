// Interoperability objects by the entry points of LLVM 22: made, kept by the runtime, asked about, synchronised with callbacks, released.
//@ compilers: offload
//@ devices: 1 3
//@ expect-stderr: __tgt_interop_get version 1 nothing is done
//@ stock-fails: offload because libomptarget 19 has none of this
#include "device.h"
#include <dlfcn.h>
#include <stdint.h>

typedef struct {
    uint32_t version, flags;
    int32_t gtid;
} context;
typedef struct {
    int32_t count, count_noalias;
    void *list, *list_noalias;
} dependences;
enum { TARGET, TARGET_SYNC };
enum { IMPLICIT = 1, NOWAIT = 2 };

// Weak, so that the libraries of earlier releases will do for the linker.
#define WEAK __attribute__((weak))
WEAK omp_interop_t __tgt_interop_get(void *, int32_t, int64_t, int32_t, void *, context *, dependences *);
WEAK int __tgt_interop_use60(void *, omp_interop_t, context *, dependences *);
WEAK int __tgt_interop_release(void *, omp_interop_t, context *, dependences *);
WEAK void __tgt_target_sync(void *, int32_t, void *, void *);
WEAK int ompx_interop_add_completion_callback(omp_interop_t, void (*)(omp_interop_t, void *), void *);
WEAK size_t gprivate_limit(int, int) __asm__("omp_get_gprivate_limit");

static int called;
static void completed(omp_interop_t object, void *data) { called += *(int *)data; }

int main(void) {
    int device = omp_get_default_device(), ten = 10, code = 9, one = 1;
    context plain = {0, 0, 0}, implicit = {0, IMPLICIT, 0}, later = {1, 0, 0};
    dependences none = {0, 0, 0, 0};
    omp_interop_t object = __tgt_interop_get(0, TARGET_SYNC, device, 0, 0, &plain, &none);
    CHECK_EQ(object != omp_interop_none, separate());
    if (object) {
        CHECK_EQ(omp_get_interop_int(object, omp_ipr_device_num, &code), device);
        CHECK_EQ(code, omp_irc_success);
        CHECK(omp_get_interop_ptr(object, omp_ipr_targetsync, &code) != NULL, "it is for synchronisation");
        // A callback is called once, at the next synchronisation.
        CHECK_EQ(ompx_interop_add_completion_callback(object, completed, &ten), omp_irc_success);
        CHECK_EQ(ompx_interop_add_completion_callback(object, completed, &one), omp_irc_success);
        CHECK_EQ(called, 0);
        CHECK_EQ(__tgt_interop_use60(0, object, &plain, 0), 0);
        CHECK_EQ(called, 11);
        CHECK_EQ(__tgt_interop_use60(0, object, &plain, 0), 0);
        CHECK_EQ(called, 11);
        ompx_interop_add_completion_callback(object, completed, &one);
        CHECK_EQ(__tgt_interop_release(0, object, &plain, 0), 0);
        CHECK_EQ(called, 12);
        // Implicit objects are the thread's.
        omp_interop_t kept = __tgt_interop_get(0, TARGET_SYNC, device, 0, 0, &implicit, 0), other = omp_interop_none;
        CHECK(kept == __tgt_interop_get(0, TARGET_SYNC, device, 0, 0, &implicit, 0), "kept");
        CHECK(kept != __tgt_interop_get(0, TARGET, device, 0, 0, &implicit, 0), "of another kind");
        CHECK_EQ(__tgt_interop_release(0, kept, &implicit, 0), 0);
        ompx_interop_add_completion_callback(kept, completed, &ten);
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) {
            other = __tgt_interop_get(0, TARGET_SYNC, device, 0, 0, &implicit, 0);
            __tgt_target_sync(0, 1, 0, 0);
        }
        CHECK(other != kept, "another thread's");
        CHECK_EQ(called, 12);
        __tgt_target_sync(0, 0, 0, 0);
        CHECK_EQ(called, 22);
        __tgt_target_sync(0, 0, 0, 0);
        CHECK_EQ(called, 22);
        void (**sync)(void *, int32_t, void *, void *) = dlsym(RTLD_DEFAULT, "kmp_target_sync_cb");
        CHECK(sync && *sync, "kmp_target_sync_cb");
        if (sync && *sync) (*sync)(0, 0, 0, 0);
    }
    CHECK(__tgt_interop_use60(0, omp_interop_none, &plain, 0) != 0, "none");
    CHECK(__tgt_interop_release(0, omp_interop_none, &plain, 0) != 0, "none");
    CHECK_EQ(ompx_interop_add_completion_callback(omp_interop_none, completed, &one), omp_irc_other);
    CHECK(__tgt_interop_get(0, TARGET, omp_get_initial_device(), 0, 0, &plain, 0) == omp_interop_none, "the host has none");
    CHECK(__tgt_interop_get(0, TARGET, device, 0, 0, &later, 0) == omp_interop_none, "a context of a later version");
    // Memory that teams have for themselves.
    CHECK_EQ(gprivate_limit(device, 0) > 0, separate());
    CHECK_EQ(gprivate_limit(device, 1), 0);
    CHECK_EQ(gprivate_limit(omp_get_initial_device(), 0), 0);
    return verdict();
}
