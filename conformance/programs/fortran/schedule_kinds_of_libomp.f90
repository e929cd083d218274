! libomp's own schedule kinds from Fortran: they come back under their numbers and divide schedule(runtime) loops.
! OpenMP 5.1, 3.2.11, 3.2.12; libomp's kmp_sched_t
!@ threads: 1 2 3
!@ stock-fails: gfortran because libgomp does not know these kinds
!@ stock-fails: flang because libomp 19 ends the program at 102
program schedule_kinds_of_libomp
  use omp_lib
  implicit none
  integer :: failures = 0
  integer, parameter :: n = 300
  integer :: hits(n), i, kind
  integer(kind=omp_sched_kind) :: asked, got
  integer :: chunk

  do kind = 101, 102
    asked = int(kind, omp_sched_kind)
    call omp_set_schedule(asked, 6)
    call omp_get_schedule(got, chunk)
    call check(got == asked .and. chunk == 6, 'the kind comes back')
    hits = 0
    !$omp parallel do schedule(runtime)
    do i = 1, n
      hits(i) = hits(i) + 1
    end do
    call check(all(hits == 1), 'each iteration once')
  end do
  call verdict()
contains
  include 'check.inc'
end program schedule_kinds_of_libomp
