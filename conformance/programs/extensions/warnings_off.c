// kmp_set_warnings_off silences lines that would come, kmp_set_warnings_on brings them back.
//@ compilers: clang
//@ threads: 2
//@ stock-fails: clang because it ends the program
//@ expect-stderr: kmp_set_library(22) ignored
#include "check.h"

int main(void) {
    kmp_set_warnings_off();
    kmp_set_library(21);
    kmp_set_warnings_on();
    kmp_set_library(22);
    return verdict();
}
