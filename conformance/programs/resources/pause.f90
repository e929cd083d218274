! Pausing from Fortran: the threads come back with the next region.
! OpenMP 5.1, 3.6
!@ stock-fails: flang because it refuses a pause after a pause
program pausing
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: total, round
  do round = 1, 3
    total = 0
    !$omp parallel reduction(+:total)
    total = total + 1
    !$omp end parallel
    call check(total == omp_get_max_threads(), 'team')
    call check(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0, 'soft')
    call check(omp_pause_resource_all(omp_pause_hard) == 0, 'hard')
  end do
  call verdict()
contains
  include 'check.inc'
end program pausing
