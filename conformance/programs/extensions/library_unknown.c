// kmp_set_library of a library that does not exist changes nothing and says so.
//@ compilers: clang
//@ threads: 2
//@ stock-fails: clang because it ends the program
//@ expect-stderr: kmp_set_library(17) ignored
#include "check.h"

int main(void) {
    kmp_set_library(17);
    CHECK_EQ(kmp_get_library(), 3);
    return verdict();
}
