// A library that requires something else of devices than the program does: as newer compilers say it, by an entry among those of the
// device's code. OpenMP 5.1, 2.5.1
//@ compilers: offload
//@ devices: 1
//@ exit: 1
//@ stock-fails: offload because it ends the program by a signal
//@ expect-stderr: `requires reverse_offload` ends
//@ checker: no because the program ends in the middle
#include "device.h"
#include <stdint.h>

struct entry {
    void *address;
    const char *name;
    size_t size;
    int32_t flags, data;
};
struct description {
    int32_t images;
    void *image;
    struct entry *first, *end;
};
extern void __tgt_register_lib(struct description *);

enum { REQUIRES = 16, NONE = 1, REVERSE_OFFLOAD = 2 };
static struct entry of_program[] = {{NULL, "", 0, REQUIRES, NONE}, {NULL, "", 0, REQUIRES, NONE}};
static struct entry of_library[] = {{NULL, "", 0, REQUIRES, REVERSE_OFFLOAD}};
static struct description program = {0, NULL, of_program, of_program + 2}, library = {0, NULL, of_library, of_library + 1};

int main(void) {
    __tgt_register_lib(&program);
    if (verdict()) return 2;
    __tgt_register_lib(&library);
    return 0;
}
