! omp_display_env from Fortran, with logical arguments of four bytes. OpenMP 5.1, 3.15
!@ threads: 2
!@ stderr-may-hold-more:
program environment_display
  use omp_lib
  implicit none
  integer :: failures = 0

  call omp_display_env(.false.)
  call omp_display_env(.true.)
  call verdict()
contains
  include 'check.inc'
end program environment_display
