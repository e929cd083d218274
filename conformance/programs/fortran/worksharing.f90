! sections, single, master, workshare, ordered, critical, atomic, barrier and flush from Fortran.
! OpenMP 5.1, 2.8 to 2.11, 2.19
program worksharing
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: round, i, next, singles, masters, ran(3), criticals, captured, most, want
  real :: a(40, 3), b(40, 3), low

  want = omp_get_max_threads()
  do round = 1, 10
    next = 1; singles = 0; masters = 0; ran = 0; criticals = 0; most = 0
    a = real(round)
    !$omp parallel private(captured)
    !$omp sections
    !$omp section
    ran(1) = ran(1) + 1
    !$omp section
    ran(2) = ran(2) + 1
    !$omp section
    ran(3) = ran(3) + 1
    !$omp end sections
    call check(all(ran == 1), 'sections')
    !$omp single
    singles = singles + 1
    !$omp end single nowait
    !$omp master
    masters = masters + 1
    !$omp end master
    !$omp workshare
    b = a * 2 + 1
    where (b > 5.0) b = -b
    low = minval(b)
    !$omp end workshare
    !$omp do ordered schedule(dynamic)
    do i = 1, 30
      !$omp ordered
      call check(next == i, 'ordered')
      next = next + 1
      !$omp end ordered
    end do
    !$omp end do
    !$omp critical (named)
    criticals = criticals + 1
    !$omp end critical (named)
    !$omp atomic capture
    captured = most
    most = most + 1
    !$omp end atomic
    call check(captured >= 0 .and. captured < want, 'atomic capture')
    !$omp flush
    !$omp barrier
    call check(criticals == want .and. most == want, 'barrier')
    !$omp end parallel
    call check(singles == 1 .and. masters == 1, 'single and master')
    call check(all(b == merge(-(2.0 * round + 1), 2.0 * round + 1, 2.0 * round + 1 > 5.0)), 'workshare')
    call check(low == b(1, 1), 'workshare minval')
  end do
  call verdict()
contains
  include 'check.inc'
end program worksharing
