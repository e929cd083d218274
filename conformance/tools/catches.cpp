// A program that would catch whatever came out of a routine of the runtime's.
#include <cstdio>
#include <omp.h>

int main() {
  try {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  } catch (...) {
    std::puts("caught");
    return 1;
  }
  return 0;
}
