! LLVM's routines beyond OpenMP from Fortran, which passes references.
!@ compilers: flang
!@ threads: 2
program extensions
  use omp_lib
  use omp_lib_kinds
  implicit none
  integer :: failures = 0
  integer :: total
  call kmp_set_stacksize(32 * 1024 * 1024)
  call check(kmp_get_stacksize() == 32 * 1024 * 1024, 'stack size')
  call kmp_set_blocktime(12)
  call check(kmp_get_blocktime() == 12, 'block time')
  call kmp_set_library_serial()
  call check(kmp_get_library() == 1, 'serial')
  total = 0
  !$omp parallel reduction(+:total)
  total = total + 1
  !$omp end parallel
  call check(total == 1, 'team of the serial library')
  call kmp_set_library(3)
  call check(kmp_get_library() == 3, 'throughput')
  call kmp_set_defaults('OMP_NUM_THREADS=3|KMP_BLOCKTIME=4')
  call check(kmp_get_blocktime() == 4, 'block time by default')
  call check(omp_get_max_threads() == 3, 'threads by default')
  call kmp_set_warnings_off()
  call kmp_set_warnings_on()
  call verdict()
contains
  include 'check.inc'
end program extensions
