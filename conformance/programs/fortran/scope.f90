! The scope construct from Fortran: private variables, a reduction over the threads, nowait. OpenMP 5.1, 2.9
!@ cannot: flang because it does not implement scope
!@ needs: gfortran 12
program scope
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: total, most, x, round

  do round = 1, 10
    total = 0; most = -1
    !$omp parallel
    !$omp scope private(x) reduction(+: total) reduction(max: most)
    x = omp_get_thread_num()
    total = total + x + 1
    most = max(most, x)
    !$omp end scope
    call check(total == omp_get_num_threads() * (omp_get_num_threads() + 1) / 2, 'sum after the scope')
    call check(most == omp_get_num_threads() - 1, 'maximum after the scope')
    !$omp scope
    x = 0
    !$omp end scope nowait
    !$omp end parallel
  end do
  call verdict()
contains
  include 'check.inc'
end program scope
