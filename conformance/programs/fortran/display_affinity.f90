! omp_display_affinity from Fortran prints one line. OpenMP 5.1, 3.3.10
!@ threads: 1 4
program display_affinity
  use omp_lib
  implicit none
  integer :: failures = 0

  call omp_set_affinity_format('stored %L')
  call omp_display_affinity('given %L of %P')
  call omp_display_affinity('')
  !$omp parallel
  !$omp single
  call omp_display_affinity('inside')
  !$omp end single
  !$omp end parallel
  call verdict()
contains
  include 'check.inc'
end program display_affinity
