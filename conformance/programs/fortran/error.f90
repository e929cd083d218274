! The error directive at execution with severity warning prints one line with its message, and the program goes on.
! OpenMP 5.1, 2.5.4
!@ cannot: flang because it does not implement the directive
!@ expect-stderr: forty-two
!@ needs: gfortran 12
program error_directive
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: n

  n = 0
  !$omp parallel
  !$omp single
  !$omp error at(execution) severity(warning) message('forty-two')
  n = n + 1
  !$omp end single
  !$omp end parallel
  call check(n == 1, 'behind the directive')
  call verdict()
contains
  include 'check.inc'
end program error_directive
