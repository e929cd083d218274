// A CUDA driver without a GPU, built as libcuda.so.1: the functions that ferromp uses, on memory of the host, with the driver's own
// rules. An image is an x86-64 one whose header says CUDA (tests/nvidia.rs makes it so); kernels are the functions in it. What a caller
// does wrong is told on standard error as "misuse: …"; what CUDA would answer with an error, it answers so.
//
//   MOCK_CUDA_DEVICES=n     how many devices there are (1)        MOCK_CUDA_SM=80,90      their compute capabilities (80)
//   MOCK_CUDA_MEMORY=bytes  how much memory each has (1 GiB)      MOCK_CUDA_SHARES=1      kernels may use all memory of the host
//   MOCK_CUDA_FAIL=name:status[:n]   the n-th call of that function (1) fails with that error
//   MOCK_CUDA_TRAP=name:status[:us]  kernels with that in their names end so, after a while
//   MOCK_CUDA_BODIES=file   real images are taken as well: their kernels and variables are those of this x86-64 image
//   MOCK_CUDA_DRIFT=n       the devices' clocks are so many millionths faster than the host's
//   MOCK_CUDA_REPORT=1      at the end: what has not been given back, and how often each function was called
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef int status;
enum {
    OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201, NO_BINARY = 209, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700,
    LAUNCH_FAILED = 719, NOT_PERMITTED = 800,
};
static const struct { status number; const char *name, *text; } errors[] = {
    {OK, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NO_BINARY, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
};

enum { DEVICES = 8, FUNCTIONS = 64, BLOCKS = 1 << 16, DEPTH = 64 };
enum kind { MEMORY, PINNED, MANAGED };

struct block { uintptr_t at; size_t bytes; int device; enum kind kind; };
struct context { int device, retained, streams, events, modules; status fault; };
struct module { struct context *context; void *handle; int file; };
struct function { struct module *module; char name[256]; void *code; int dynamic; };
struct event { struct context *context; int timed; uint64_t issued, done; uint64_t time; };
enum what { COPY, FILL, KERNEL, RECORD, WAIT, CALLBACK, END };
struct stream;
typedef void (*callback)(struct stream *, status, void *);
struct operation {
    struct operation *next;
    enum what what;
    void *to, *from, *staged;
    size_t bytes;
    unsigned char value;
    struct event *event;
    uint64_t position;
    callback call;
    void *data;
    struct function *function;
    uintptr_t arguments[32];
};
struct stream {
    struct context *context;
    struct operation *first, **last;
    uint64_t queued, done;
    pthread_t thread;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct context contexts[DEVICES];
static struct block blocks[BLOCKS];
static int count, used_blocks, initialised;
static size_t used[DEVICES];
static pid_t process;
static __thread struct context *stack[DEPTH];
static __thread int depth, in_callback;
static struct { const char *name; unsigned long calls; } functions[FUNCTIONS];

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 0) : otherwise;
}
static void misuse(const char *function, const char *what) { fprintf(stderr, "misuse: %s: %s\n", function, what); }

// Whether a setting names this function, and its call is the one that is to fail.
static status fails(const char *name) {
    pthread_mutex_lock(&lock);
    unsigned long calls = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (!functions[i].name) functions[i].name = name;
        if (strcmp(functions[i].name, name) == 0) {
            calls = ++functions[i].calls;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    const char *text = getenv("MOCK_CUDA_FAIL");
    size_t length = strlen(name);
    if (!text || strncmp(text, name, length) || text[length] != ':') return OK;
    char *end;
    status number = (status)strtol(text + length + 1, &end, 10);
    return calls == (*end == ':' ? strtoul(end + 1, NULL, 10) : 1) ? number : OK;
}
#define API __attribute__((visibility("default"))) status
#define ENTER                                                      \
    do {                                                           \
        status failed = fails(__func__);                           \
        if (failed) return failed;                                 \
        if (in_callback) {                                         \
            misuse(__func__, "called from a callback");            \
            return NOT_PERMITTED;                                  \
        }                                                          \
        if (!initialised) return NOT_INITIALIZED;                  \
        if (getpid() != process) return NOT_INITIALIZED;           \
    } while (0)
// The calling thread's context, if it has one that is in order.
#define ENTER_CONTEXT                                              \
    ENTER;                                                         \
    struct context *context = depth ? stack[depth - 1] : NULL;     \
    if (!context || !context->retained) {                          \
        misuse(__func__, "no context is current");                 \
        return INVALID_CONTEXT;                                    \
    }                                                              \
    if (context->fault) return context->fault

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}
static uint64_t device_now(void) {
    static uint64_t start;
    if (!start) start = now();
    uint64_t passed = now() - start;
    return 12345 + passed + passed / 1000000 * (uint64_t)setting("MOCK_CUDA_DRIFT", 0);
}

// The block that an address is in.
static struct block *block_of(uintptr_t at, size_t bytes) {
    for (int i = 0; i < used_blocks; i++)
        if (blocks[i].bytes && at >= blocks[i].at && at + bytes <= blocks[i].at + blocks[i].bytes) return &blocks[i];
    return NULL;
}
static int in_module(uintptr_t at) {
    Dl_info info;
    if (!dladdr((void *)at, &info) || !info.dli_fname) return 0;
    const char *bodies = getenv("MOCK_CUDA_BODIES");
    return strstr(info.dli_fname, "/proc/self/fd/") || (bodies && strcmp(info.dli_fname, bodies) == 0);
}
// Whether a device may use this memory of devices; and whether it is the host's.
static int is_device(uintptr_t at, size_t bytes) {
    pthread_mutex_lock(&lock);
    int found = block_of(at, bytes) != NULL;
    pthread_mutex_unlock(&lock);
    return found || in_module(at);
}
static int is_pinned(uintptr_t at) {
    pthread_mutex_lock(&lock);
    struct block *block = block_of(at, 1);
    int found = block && block->kind != MEMORY;
    pthread_mutex_unlock(&lock);
    return found;
}
static int is_host(uintptr_t at) {
    pthread_mutex_lock(&lock);
    struct block *block = block_of(at, 1);
    int found = !block || block->kind != MEMORY;
    pthread_mutex_unlock(&lock);
    return found && !in_module(at);
}

// Streams: a thread each.

static void run_kernel(struct stream *stream, struct operation *it) {
    uintptr_t *a = it->arguments;
    char text[300], *name, *number;
    snprintf(text, sizeof text, "%s", getenv("MOCK_CUDA_TRAP") ? getenv("MOCK_CUDA_TRAP") : "");
    name = text;
    if (*name && (number = strchr(name, ':'))) {
        *number++ = 0;
        if (strstr(it->function->name, name)) {
            char *end;
            status fault = (status)strtol(number, &end, 10);
            usleep(*end == ':' ? (useconds_t)strtoul(end + 1, NULL, 10) : 0);
            pthread_mutex_lock(&lock);
            stream->context->fault = fault;
            pthread_mutex_unlock(&lock);
            return;
        }
    }
    void (*code)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                 uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                 uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
    *(void **)&code = it->function->code;
    code(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19],
         a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31]);
}

static void perform(struct stream *stream, struct operation *it) {
    pthread_mutex_lock(&lock);
    status fault = stream->context->fault;
    pthread_mutex_unlock(&lock);
    switch (it->what) {
    case COPY:
        if (!fault) memmove(it->to, it->staged ? it->staged : it->from, it->bytes);
        free(it->staged);
        break;
    case FILL:
        if (!fault) memset(it->to, it->value, it->bytes);
        break;
    case KERNEL:
        if (!fault) run_kernel(stream, it);
        break;
    case CALLBACK:
        in_callback = 1;
        it->call(stream, fault, it->data);
        in_callback = 0;
        break;
    case WAIT:
        pthread_mutex_lock(&lock);
        while (it->event->done < it->position) pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        break;
    default:
        break;
    }
}

static void *work(void *of) {
    struct stream *stream = of;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!stream->first) pthread_cond_wait(&changed, &lock);
        struct operation *it = stream->first;
        stream->first = it->next;
        if (!stream->first) stream->last = &stream->first;
        pthread_mutex_unlock(&lock);
        perform(stream, it);
        enum what what = it->what;
        pthread_mutex_lock(&lock);
        if (what == RECORD) {
            it->event->time = device_now();
            it->event->done = it->position;
        }
        stream->done++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        free(it);
        if (what == END) return NULL;
    }
}

// Queues an operation; its position in the stream.
static uint64_t queue(struct stream *stream, struct operation operation) {
    struct operation *it = malloc(sizeof *it);
    *it = operation;
    it->next = NULL;
    pthread_mutex_lock(&lock);
    if (it->what == RECORD) it->position = ++it->event->issued;
    if (it->what == WAIT) it->position = it->event->issued;
    *stream->last = it;
    stream->last = &it->next;
    uint64_t position = ++stream->queued;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return position;
}
static void wait_for(struct stream *stream, uint64_t position) {
    pthread_mutex_lock(&lock);
    while (stream->done < position) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
#define THEIRS(it)                                                 \
    if (!(it) || (it)->context != context) {                       \
        misuse(__func__, "what is used belongs to another context"); \
        return INVALID_HANDLE;                                     \
    }

// The functions.

API cuInit(unsigned flags) {
    status failed = fails(__func__);
    if (failed) return failed;
    if (flags) return INVALID_VALUE;
    count = (int)setting("MOCK_CUDA_DEVICES", 1);
    if (count > DEVICES) count = DEVICES;
    if (count == 0) return NO_DEVICE;
    for (int i = 0; i < count; i++) contexts[i].device = i;
    initialised = 1;
    process = getpid();
    return OK;
}
API cuDriverGetVersion(int *version) {
    *version = 12090;
    return OK;
}
API cuDeviceGetCount(int *number) {
    ENTER;
    *number = count;
    return OK;
}
API cuDeviceGet(int *device, int number) {
    ENTER;
    if (number < 0 || number >= count) return INVALID_DEVICE;
    *device = number;
    return OK;
}
API cuDeviceGetName(char *name, int bytes, int device) {
    ENTER;
    snprintf(name, (size_t)bytes, "NVIDIA Mock %d", device);
    return OK;
}
API cuDeviceGetUuid(unsigned char *identifier, int device) {
    ENTER;
    memcpy(identifier, "\x0f\x1e\x2d\x3c\x4b\x5a\x69\x78\x87\x96\xa5\xb4\xc3\xd2\xe1", 15);
    identifier[15] = (unsigned char)device;
    return OK;
}
static int capability(int device) {
    const char *text = getenv("MOCK_CUDA_SM");
    int last = 80;
    for (int i = 0; text && *text && i <= device; i++) {
        char *end;
        last = (int)strtol(text, &end, 10);
        text = *end == ',' ? end + 1 : "";
    }
    return last;
}
API cuDeviceGetAttribute(int *value, int attribute, int device) {
    ENTER;
    switch (attribute) {
    case 2: *value = 1024; break;
    case 5: *value = 65535; break;
    case 10: *value = 32; break;
    case 16: *value = 4; break;
    case 20: *value = 0; break;
    case 39: *value = 2048; break;
    case 97: *value = 160 << 10; break;
    case 75: *value = capability(device) / 10; break;
    case 76: *value = capability(device) % 10; break;
    case 88:
    case 89: *value = (int)setting("MOCK_CUDA_SHARES", 0); break;
    default: misuse(__func__, "an attribute that nobody should need"); return INVALID_VALUE;
    }
    return OK;
}
API cuDeviceTotalMem_v2(size_t *bytes, int device) {
    ENTER;
    (void)device;
    *bytes = (size_t)setting("MOCK_CUDA_MEMORY", 1 << 30);
    return OK;
}
API cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    ENTER;
    *flags = 0;
    *active = contexts[device].retained > 0;
    return OK;
}
API cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
    ENTER;
    (void)device;
    return flags & ~7U ? INVALID_VALUE : OK;
}
API cuDevicePrimaryCtxRetain(struct context **context, int device) {
    ENTER;
    contexts[device].retained++;
    *context = &contexts[device];
    return OK;
}
API cuDevicePrimaryCtxRelease_v2(int device) {
    ENTER;
    if (contexts[device].retained-- <= 0) misuse(__func__, "released more often than retained");
    return OK;
}
API cuCtxPushCurrent_v2(struct context *context) {
    ENTER;
    if (!context) return INVALID_CONTEXT;
    if (depth == DEPTH) {
        misuse(__func__, "never popped");
        return INVALID_VALUE;
    }
    stack[depth++] = context;
    return OK;
}
API cuCtxPopCurrent_v2(struct context **context) {
    ENTER;
    if (!depth) {
        misuse(__func__, "nothing is there");
        return INVALID_CONTEXT;
    }
    *context = stack[--depth];
    return OK;
}
// Kernels here have the host's stacks: the sizes are only told.
API cuCtxSetLimit(int which, size_t bytes) {
    ENTER_CONTEXT;
    if (bytes > (size_t)1 << 32) return INVALID_VALUE;
    fprintf(stderr, "limit %d: %zu\n", which, bytes);
    return OK;
}

API cuModuleLoadDataEx(struct module **module, const void *image, unsigned options, int *names, void **values) {
    ENTER_CONTEXT;
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    const char *why = NULL;
    int processor = (int)(header.e_ident[EI_ABIVERSION] < 8 ? header.e_flags & 0xff : header.e_flags >> 8 & 0xffff);
    const char *bodies = header.e_type == ET_EXEC ? getenv("MOCK_CUDA_BODIES") : NULL;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_machine != EM_CUDA) why = "no image for CUDA";
    else if (processor / 10 != capability(context->device) / 10 || processor > capability(context->device)) why = "for another processor";
    else if (getenv("MOCK_CUDA_REFUSE")) why = "ptxas  fatal : the test\nwants it so";
    if (why) {
        size_t room = 0;
        for (unsigned i = 0; i < options; i++)
            if (names[i] == 6) room = (size_t)values[i];
        for (unsigned i = 0; i < options; i++)
            if (names[i] == 5) snprintf(values[i], room, "%s", why);
        return INVALID_IMAGE;
    }
    if (bodies) {
        void *handle = dlopen(bodies, RTLD_NOW | RTLD_LOCAL);
        if (!handle) return misuse(__func__, dlerror()), INVALID_IMAGE;
        *module = malloc(sizeof **module);
        **module = (struct module){context, handle, -1};
        context->modules++;
        return OK;
    }
    // The headers of sections are the last in the file.
    size_t bytes = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
    int file = memfd_create("mock-cuda", MFD_CLOEXEC);
    header.e_machine = EM_X86_64;
    header.e_flags = 0;
    header.e_ident[EI_ABIVERSION] = 0;
    if (write(file, &header, sizeof header) < 0 || write(file, (const char *)image + sizeof header, bytes - sizeof header) < 0) abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        misuse(__func__, dlerror());
        return INVALID_IMAGE;
    }
    *module = malloc(sizeof **module);
    **module = (struct module){context, handle, file};
    context->modules++;
    return OK;
}
API cuModuleUnload(struct module *module) {
    ENTER_CONTEXT;
    THEIRS(module);
    dlclose(module->handle);
    module->context = NULL;
    context->modules--;
    return OK;
}
API cuModuleGetFunction(struct function **function, struct module *module, const char *name) {
    ENTER_CONTEXT;
    THEIRS(module);
    void *code = dlsym(module->handle, name);
    if (!code) return NOT_FOUND;
    *function = calloc(1, sizeof **function);
    (*function)->module = module;
    (*function)->code = code;
    snprintf((*function)->name, sizeof (*function)->name, "%s", name);
    return OK;
}
API cuModuleGetGlobal_v2(uintptr_t *address, size_t *bytes, struct module *module, const char *name) {
    ENTER_CONTEXT;
    THEIRS(module);
    void *there = dlsym(module->handle, name);
    Dl_info info;
    Elf64_Sym *symbol = NULL;
    if (!there || !dladdr1(there, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) return NOT_FOUND;
    *address = (uintptr_t)there;
    *bytes = symbol->st_size;
    return OK;
}
API cuFuncGetAttribute(int *value, int attribute, struct function *function) {
    ENTER_CONTEXT;
    (void)function;
    if (attribute) return INVALID_VALUE;
    *value = 1024;
    return OK;
}
API cuFuncSetAttribute(struct function *function, int attribute, int value) {
    ENTER_CONTEXT;
    if (attribute != 8 || value > 160 << 10) return INVALID_VALUE;
    function->dynamic = value;
    return OK;
}

static status allocate(struct context *context, uintptr_t *address, size_t bytes, enum kind kind) {
    if (!bytes) return INVALID_VALUE;
    pthread_mutex_lock(&lock);
    status result = OUT_OF_MEMORY;
    size_t limit = (size_t)setting("MOCK_CUDA_MEMORY", 1 << 30);
    if (used[context->device] + bytes <= limit || kind == PINNED) {
        size_t whole = (bytes + 4095) & ~(size_t)4095;
        void *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        int slot = 0;
        while (slot < used_blocks && blocks[slot].bytes) slot++;
        if (memory != MAP_FAILED && slot < BLOCKS) {
            if (slot == used_blocks) used_blocks++;
            blocks[slot] = (struct block){(uintptr_t)memory, bytes, context->device, kind};
            if (kind != PINNED) used[context->device] += bytes;
            // What is read before it is written shows.
            if (bytes <= 1 << 20) memset(memory, 0xa5, bytes);
            *address = (uintptr_t)memory;
            result = OK;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}
static status release(const char *function, uintptr_t address, int pinned) {
    status result = INVALID_VALUE;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < used_blocks; i++) {
        if (blocks[i].bytes && blocks[i].at == address && (blocks[i].kind == PINNED) == pinned) {
            munmap((void *)address, (blocks[i].bytes + 4095) & ~(size_t)4095);
            if (!pinned) used[blocks[i].device] -= blocks[i].bytes;
            blocks[i].bytes = 0;
            result = OK;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    if (result) misuse(function, "no such block");
    return result;
}
API cuMemAlloc_v2(uintptr_t *address, size_t bytes) {
    ENTER_CONTEXT;
    return allocate(context, address, bytes, MEMORY);
}
API cuMemAllocManaged(uintptr_t *address, size_t bytes, unsigned flags) {
    ENTER_CONTEXT;
    return flags == 1 ? allocate(context, address, bytes, MANAGED) : INVALID_VALUE;
}
API cuMemAllocHost_v2(void **memory, size_t bytes) {
    ENTER_CONTEXT;
    return allocate(context, (uintptr_t *)memory, bytes, PINNED);
}
API cuMemFree_v2(uintptr_t address) {
    ENTER_CONTEXT;
    return release(__func__, address, 0);
}
API cuMemFreeHost(void *memory) {
    ENTER_CONTEXT;
    return release(__func__, (uintptr_t)memory, 1);
}

API cuMemcpyHtoDAsync_v2(uintptr_t to, const void *from, size_t bytes, struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    if (!is_device(to, bytes) || !is_host((uintptr_t)from)) {
        misuse(__func__, "not from the host to a device");
        return INVALID_VALUE;
    }
    struct operation it = {.what = COPY, .to = (void *)to, .from = (void *)from, .bytes = bytes};
    if (!is_pinned((uintptr_t)from)) {
        // What can be paged out is read at once.
        it.staged = malloc(bytes);
        memcpy(it.staged, from, bytes);
    }
    queue(stream, it);
    return OK;
}
API cuMemcpyDtoHAsync_v2(void *to, uintptr_t from, size_t bytes, struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    if (!is_device(from, bytes) || !is_host((uintptr_t)to)) {
        misuse(__func__, "not from a device to the host");
        return INVALID_VALUE;
    }
    uint64_t position = queue(stream, (struct operation){.what = COPY, .to = to, .from = (void *)from, .bytes = bytes});
    // What can be paged out is written before this returns.
    if (!is_pinned((uintptr_t)to)) wait_for(stream, position);
    return context->fault;
}
API cuMemcpyDtoDAsync_v2(uintptr_t to, uintptr_t from, size_t bytes, struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    if (!is_device(to, bytes) || !is_device(from, bytes) || (to < from + bytes && from < to + bytes)) {
        misuse(__func__, "not within a device, or the two overlap");
        return INVALID_VALUE;
    }
    queue(stream, (struct operation){.what = COPY, .to = (void *)to, .from = (void *)from, .bytes = bytes});
    return OK;
}
API cuMemcpyPeerAsync(uintptr_t to, struct context *there, uintptr_t from, struct context *here, size_t bytes, struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    if (!is_device(to, bytes) || !is_device(from, bytes) || !there->retained || !here->retained) {
        misuse(__func__, "not between devices");
        return INVALID_VALUE;
    }
    queue(stream, (struct operation){.what = COPY, .to = (void *)to, .from = (void *)from, .bytes = bytes});
    return OK;
}
API cuMemsetD8Async(uintptr_t to, unsigned char value, size_t bytes, struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    if (!is_device(to, bytes)) {
        misuse(__func__, "not on a device");
        return INVALID_VALUE;
    }
    queue(stream, (struct operation){.what = FILL, .to = (void *)to, .value = value, .bytes = bytes});
    return OK;
}

API cuStreamCreate(struct stream **stream, unsigned flags) {
    ENTER_CONTEXT;
    if (flags != 1) misuse(__func__, "it would wait for the program's own work");
    struct stream *it = calloc(1, sizeof *it);
    it->context = context;
    it->last = &it->first;
    pthread_create(&it->thread, NULL, work, it);
    context->streams++;
    *stream = it;
    return OK;
}
API cuStreamDestroy_v2(struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    pthread_mutex_lock(&lock);
    int busy = stream->done < stream->queued;
    pthread_mutex_unlock(&lock);
    if (busy) misuse(__func__, "something is under way");
    queue(stream, (struct operation){.what = END});
    pthread_join(stream->thread, NULL);
    stream->context = NULL;
    context->streams--;
    return OK;
}
API cuStreamSynchronize(struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    pthread_mutex_lock(&lock);
    uint64_t position = stream->queued;
    pthread_mutex_unlock(&lock);
    wait_for(stream, position);
    return context->fault;
}
API cuStreamQuery(struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(stream);
    pthread_mutex_lock(&lock);
    int busy = stream->done < stream->queued;
    pthread_mutex_unlock(&lock);
    return busy ? NOT_READY : context->fault;
}
API cuStreamWaitEvent(struct stream *stream, struct event *event, unsigned flags) {
    ENTER_CONTEXT;
    THEIRS(stream);
    THEIRS(event);
    if (flags) return INVALID_VALUE;
    queue(stream, (struct operation){.what = WAIT, .event = event});
    return OK;
}
API cuStreamAddCallback(struct stream *stream, callback call, void *data, unsigned flags) {
    ENTER_CONTEXT;
    THEIRS(stream);
    if (flags) return INVALID_VALUE;
    queue(stream, (struct operation){.what = CALLBACK, .call = call, .data = data});
    return OK;
}

API cuEventCreate(struct event **event, unsigned flags) {
    ENTER_CONTEXT;
    *event = calloc(1, sizeof **event);
    (*event)->context = context;
    (*event)->timed = !(flags & 2);
    context->events++;
    return OK;
}
API cuEventDestroy_v2(struct event *event) {
    ENTER_CONTEXT;
    THEIRS(event);
    event->context = NULL;
    context->events--;
    return OK;
}
API cuEventRecord(struct event *event, struct stream *stream) {
    ENTER_CONTEXT;
    THEIRS(event);
    THEIRS(stream);
    queue(stream, (struct operation){.what = RECORD, .event = event});
    return OK;
}
API cuEventSynchronize(struct event *event) {
    ENTER_CONTEXT;
    THEIRS(event);
    pthread_mutex_lock(&lock);
    uint64_t position = event->issued;
    while (event->done < position) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return context->fault;
}
API cuEventElapsedTime(float *milliseconds, struct event *start, struct event *end) {
    ENTER_CONTEXT;
    THEIRS(start);
    THEIRS(end);
    if (!start->timed || !end->timed || !start->issued || !end->issued) {
        misuse(__func__, "these tell no time");
        return INVALID_HANDLE;
    }
    if (start->done < start->issued || end->done < end->issued) {
        misuse(__func__, "not complete");
        return NOT_READY;
    }
    *milliseconds = (float)((double)(int64_t)(end->time - start->time) * 1e-6);
    return OK;
}

API cuLaunchKernel(struct function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   struct stream *stream, void **arguments, void **extra) {
    ENTER_CONTEXT;
    THEIRS(stream);
    if (!function || function->module->context != context) {
        misuse(__func__, "the function's module is not there");
        return INVALID_HANDLE;
    }
    if (!gx || gy != 1 || gz != 1 || !bx || by != 1 || bz != 1 || bx > 1024 || gx > 65535 || arguments) return INVALID_VALUE;
    if (shared > 48 << 10 && shared > (unsigned)function->dynamic) return INVALID_VALUE;
    struct operation it = {.what = KERNEL, .function = function};
    if (extra) {
        if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4]) return INVALID_VALUE;
        size_t bytes = *(size_t *)extra[3];
        if (bytes > sizeof it.arguments) return INVALID_VALUE;
        memcpy(it.arguments, extra[1], bytes);
    }
    if (setting("MOCK_CUDA_REPORT", 0) > 1) fprintf(stderr, "launch: %s %u %u %u\n", function->name, gx, bx, shared);
    queue(stream, it);
    return OK;
}

static status describe(status number, const char **text, int name) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].number == number) {
            *text = name ? errors[i].name : errors[i].text;
            return OK;
        }
    }
    *text = NULL;
    return INVALID_VALUE;
}
API cuGetErrorName(status number, const char **text) { return describe(number, text, 1); }
API cuGetErrorString(status number, const char **text) { return describe(number, text, 0); }

__attribute__((destructor)) static void report(void) {
    if (!setting("MOCK_CUDA_REPORT", 0) || !initialised || getpid() != process) return;
    int memory = 0, streams = 0, events = 0, modules = 0, retained = 0;
    for (int i = 0; i < used_blocks; i++) memory += blocks[i].bytes != 0;
    for (int i = 0; i < count; i++) {
        streams += contexts[i].streams;
        events += contexts[i].events;
        modules += contexts[i].modules;
        retained += contexts[i].retained;
    }
    fprintf(stderr, "left: memory %d streams %d events %d modules %d contexts %d\n", memory, streams, events, modules, retained);
    for (int i = 0; i < FUNCTIONS && functions[i].name; i++) fprintf(stderr, "called: %s %lu\n", functions[i].name, functions[i].calls);
}
