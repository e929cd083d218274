! Sections and workshare from Fortran, alone and combined with parallel. OpenMP 5.1, 2.10.1, 2.10.3
program sections_workshare
  use omp_lib
  implicit none
  integer :: failures = 0
  integer :: a, b, c, round
  real(8) :: u(50), v(50), w(50), scalar

  do round = 1, 5
    a = 0; b = 0; c = 0
    !$omp parallel sections
    !$omp section
    a = a + round
    !$omp section
    b = b + 2 * round
    !$omp section
    c = c + 3 * round
    !$omp end parallel sections
    call check(a == round .and. b == 2 * round .and. c == 3 * round, 'parallel sections')
    !$omp parallel
    !$omp sections lastprivate(c)
    !$omp section
    !$omp atomic
    a = a + 1
    c = 1
    !$omp section
    !$omp atomic
    b = b + 1
    c = 2
    !$omp end sections nowait
    !$omp barrier
    !$omp end parallel
    call check(a == round + 1 .and. b == 2 * round + 1 .and. c == 2, 'sections')

    u = round; v = 2
    !$omp parallel shared(u, v, w, scalar)
    !$omp workshare
    w = u + v
    scalar = sum(w)
    where (w > 3) u = -u
    !$omp end workshare
    !$omp end parallel
    call check(all(w == round + 2) .and. scalar == 50 * (round + 2), 'workshare')
    call check(all(u == merge(-round, round, round + 2 > 3)), 'where')
  end do
  call verdict()
contains
  include 'check.inc'
end program sections_workshare
