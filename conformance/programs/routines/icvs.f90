! The routines about ICVs and levels through Fortran's module, with default integers and those of 8 bytes.
! OpenMP 5.1, 3.2
!@ cannot: flang because its module has default integers alone, and an integer for omp_get_cancellation
!@ needs: gfortran 11
program icvs
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(8) :: eight = 5_8
  integer(omp_sched_kind) :: kind
  integer :: chunk

  call omp_set_dynamic(.false.)
  call omp_set_num_threads(eight)
  call check(omp_get_max_threads() == 5, 'num_threads of 8 bytes')
  call omp_set_num_threads(3)
  call check(omp_get_max_threads() == 3, 'num_threads')
  call omp_set_max_active_levels(2)
  call check(omp_get_max_active_levels() == 2, 'max_active_levels')
  call omp_set_schedule(omp_sched_guided, 4)
  call omp_get_schedule(kind, chunk)
  call check(kind == omp_sched_guided .and. chunk == 4, 'schedule')
  call omp_set_default_device(2)
  call check(omp_get_default_device() == 2, 'default device')
  call check(omp_get_num_devices() == 0, 'devices')
  call check(omp_is_initial_device(), 'initial device')
  call check(omp_get_supported_active_levels() > 0, 'supported levels')
  call check(omp_get_thread_limit() > 0, 'thread limit')
  call check(.not. omp_get_cancellation(), 'cancellation')
  call check(.not. omp_in_parallel(), 'in parallel')
  call check(.not. omp_in_final(), 'in final')
  call check(omp_get_wtick() > 0d0, 'wtick')
  !$omp parallel num_threads(2)
  call check(omp_get_level() == 1, 'level')
  call check(omp_get_ancestor_thread_num(1) == omp_get_thread_num(), 'ancestor')
  call check(omp_get_team_size(0) == 1 .and. omp_get_team_size(1) == omp_get_num_threads(), 'team size')
  !$omp end parallel
  call verdict()
contains
  include 'check.inc'
end program icvs
