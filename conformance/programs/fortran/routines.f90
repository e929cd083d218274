! The omp_* routines in their Fortran spelling, with default and eight-byte arguments where the module has them.
! OpenMP 5.1, 3.2, 3.10
program routines
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: want, chunk, n
  integer(omp_sched_kind) :: kind
  double precision :: start

  want = omp_get_max_threads()
  call check(omp_get_num_procs() >= 1, 'omp_get_num_procs')
  call check(omp_get_num_threads() == 1, 'omp_get_num_threads outside')
  call check(omp_get_thread_num() == 0, 'omp_get_thread_num outside')
  call check(.not. omp_in_parallel(), 'omp_in_parallel outside')
  call check(omp_get_level() == 0, 'omp_get_level outside')
  call check(omp_get_active_level() == 0, 'omp_get_active_level outside')
  call check(omp_get_ancestor_thread_num(0) == 0, 'ancestor of level 0')
  call check(omp_get_ancestor_thread_num(1) == -1, 'ancestor of level 1')
  call check(omp_get_team_size(0) == 1, 'team size of level 0')
  call check(omp_get_thread_limit() >= want, 'omp_get_thread_limit')
  call check(.not. omp_in_final(), 'omp_in_final')
  call check(omp_get_wtick() > 0 .and. omp_get_wtick() <= 1, 'omp_get_wtick')
  start = omp_get_wtime()
  call check(omp_get_wtime() >= start, 'omp_get_wtime')

  call omp_set_dynamic(.true.)
  call check(omp_get_dynamic(), 'dynamic on')
  call omp_set_dynamic(.false.)
  call check(.not. omp_get_dynamic(), 'dynamic off')
  call omp_set_max_active_levels(3)
  call check(omp_get_max_active_levels() == 3, 'max_active_levels')
  call omp_set_max_active_levels(1)
  call omp_set_schedule(omp_sched_guided, 6)
  call omp_get_schedule(kind, chunk)
  call check(iand(int(kind), 255) == omp_sched_guided .and. chunk == 6, 'schedule')
  call omp_set_num_threads(3)
  call check(omp_get_max_threads() == 3, 'omp_set_num_threads')
  n = 0
  !$omp parallel reduction(+: n)
  n = n + 1
  call check(omp_get_num_threads() == 3, 'omp_get_num_threads inside')
  call check(omp_in_parallel(), 'omp_in_parallel inside')
  call check(omp_get_level() == 1, 'omp_get_level inside')
  call check(omp_get_ancestor_thread_num(1) == omp_get_thread_num(), 'ancestor inside')
  call check(omp_get_team_size(1) == 3, 'team size inside')
  !$omp end parallel
  call check(n == 3, 'size of the team')
  call verdict()
contains
  include 'check.inc'
end program routines
