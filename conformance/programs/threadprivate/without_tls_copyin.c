// copyin of threadprivate variables that clang keeps in the runtime instead of thread-local storage.
// OpenMP 5.1, 2.21.6.1
//@ compilers: clang
//@ flags: -fnoopenmp-use-tls
#include "threadprivate/copyin.c"
