! Worksharing loops from Fortran: each schedule, steps up and down, integer(8) ranges, empty ranges, lastprivate.
! OpenMP 5.1, 2.11.4
program loops
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: i, n, last, chunk
  integer(8) :: k, first
  integer :: hits(-60:200)

  do n = 0, 40
    hits = 0
    !$omp parallel do schedule(static)
    do i = 1, n
      hits(i) = hits(i) + 1
    end do
    !$omp parallel do schedule(dynamic, 3)
    do i = n, 1, -1
      hits(i) = hits(i) + 1
    end do
    !$omp parallel do schedule(guided)
    do i = 1, 3 * n, 3
      hits((i + 2) / 3) = hits((i + 2) / 3) + 1
    end do
    call check(all(hits(1:n) == 3), 'an iteration is missing or doubled')
    call check(sum(hits) == 3 * n, 'an iteration too many')
  end do

  first = 5000000000_8
  do chunk = 1, 4
    hits = 0
    last = 0
    !$omp parallel do schedule(dynamic, chunk) lastprivate(last)
    do k = first, first - 100, -2
      hits(int(first - k)) = hits(int(first - k)) + 1
      last = int(first - k)
    end do
    call check(sum(hits) == 51, 'integer(8) iterations')
    call check(last == 100, 'lastprivate')
  end do
  call verdict()
contains
  include 'check.inc'
end program loops
