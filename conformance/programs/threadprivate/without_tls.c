// Threadprivate variables that clang keeps in the runtime (__kmpc_threadprivate_cached) instead of thread-local storage.
// OpenMP 5.1, 2.21.2
//@ compilers: clang
//@ flags: -fnoopenmp-use-tls
#include "threadprivate/persistent.c"
