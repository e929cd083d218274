! Loops over integer(8) and integer(2) variables with every schedule, negative steps and lastprivate, near the ends of the type.
! OpenMP 5.1, 2.11.4
program schedules_int8
  use omp_lib
  implicit none
  integer :: failures = 0
  integer(8), parameter :: top = huge(1_8)
  integer(8) :: i
  integer(2) :: s
  integer :: hits(0:99), last

  hits = 0
  !$omp parallel
  !$omp do schedule(static, 3)
  do i = top - 100, top - 1
    hits(int(i - (top - 100))) = hits(int(i - (top - 100))) + 1
  end do
  !$omp do schedule(dynamic, 7)
  do i = -top + 100, -top + 1, -1
    hits(int(-top + 100 - i)) = hits(int(-top + 100 - i)) + 1
  end do
  !$omp do schedule(guided, 2)
  do s = 32000_2, 32099_2
    hits(s - 32000) = hits(s - 32000) + 1
  end do
  !$omp end parallel
  call check(all(hits == 3), 'hits')
  call omp_set_schedule(omp_sched_dynamic, 4)
  hits = 0
  last = -1
  !$omp parallel do schedule(runtime) lastprivate(last)
  do i = 990, 0, -10
    hits(int(i / 10)) = hits(int(i / 10)) + 1
    last = int(i)
  end do
  call check(all(hits == 1), 'runtime')
  call check(last == 0, 'lastprivate')
  !$omp parallel do schedule(static)
  do i = 5, 4
    hits(0) = hits(0) + 1000
  end do
  !$omp parallel do schedule(dynamic)
  do i = 4, 5, -1
    hits(0) = hits(0) + 1000
  end do
  call check(hits(0) == 1, 'empty')
  call verdict()
contains
  include 'check.inc'
end program schedules_int8
