! The same routines compiled with eight-byte default integers and logicals, which call the _8_ entry points.
! OpenMP 5.1, 3.2
!@ flags: -fdefault-integer-8
!@ cannot: flang because its omp_lib has no routines with integers of eight bytes
program routines_int8
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(8) :: want, chunk, n
  integer(omp_sched_kind) :: kind
  logical(8) :: on

  want = omp_get_max_threads()
  call omp_set_num_threads(4_8)
  call check(omp_get_max_threads() == 4, 'omp_set_num_threads(8)')
  on = .true.
  call omp_set_dynamic(on)
  call check(logical(omp_get_dynamic()), 'omp_set_dynamic(8)')
  on = .false.
  call omp_set_dynamic(on)
  call check(.not. logical(omp_get_dynamic()), 'omp_set_dynamic(8) off')
  call omp_set_max_active_levels(2_8)
  call check(omp_get_max_active_levels() == 2, 'omp_set_max_active_levels(8)')
  call omp_set_schedule(omp_sched_dynamic, 11_8)
  call omp_get_schedule(kind, chunk)
  call check(iand(int(kind, 8), 255_8) == omp_sched_dynamic .and. chunk == 11, 'schedule(8)')
  n = 0
  !$omp parallel reduction(+: n)
  n = n + 1
  call check(omp_get_ancestor_thread_num(1_8) == omp_get_thread_num(), 'ancestor(8)')
  call check(omp_get_team_size(1_8) == 4, 'team size(8)')
  !$omp end parallel
  call check(n == 4, 'size of the team')
  call check(want >= 1, 'omp_get_max_threads')
  call verdict()
contains
  include 'check.inc'
end program routines_int8
