! Nested regions from Fortran: levels, ancestors, num_threads and if clauses, thread-private copies of local variables.
! OpenMP 5.1, 2.6, 3.2
!@ env: OMP_MAX_ACTIVE_LEVELS=3
!@ threads: 1 2 3
program nested
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: outer, total

  total = 0
  !$omp parallel private(outer) reduction(+: total)
  outer = omp_get_thread_num()
  !$omp parallel num_threads(2) firstprivate(outer) reduction(+: total)
  total = total + 1
  call check(omp_get_level() == 2, 'level')
  call check(omp_get_ancestor_thread_num(1) == outer, 'ancestor')
  call check(omp_get_team_size(2) == omp_get_num_threads(), 'team size')
  !$omp parallel num_threads(2) if(.false.) reduction(+: total)
  call check(omp_get_num_threads() == 1 .and. omp_get_level() == 3, 'if(.false.)')
  total = total + 100
  !$omp end parallel
  !$omp end parallel
  !$omp end parallel
  call check(mod(total, 100) >= 1 .and. mod(total, 100) == total / 100, 'threads of inner regions')
  call verdict()
contains
  include 'check.inc'
end program nested
