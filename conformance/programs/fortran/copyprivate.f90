! single with copyprivate from Fortran: scalars, arrays, allocatable and derived-type variables. OpenMP 5.1, 2.10.2
program copyprivate
  use omp_lib
  implicit none
  type point
    integer :: x
    real(8) :: y(3)
  end type point
  integer :: failures = 0
  integer :: n, round, table(10)
  real(8) :: z
  type(point) :: p

  do round = 1, 10
    !$omp parallel private(n, z, table, p)
    n = -1; z = -1; table = -1
    !$omp single
    n = round
    z = round * 0.5d0
    table = [1, 2, 3, 4, 5, 6, 7, 8, 9, round]
    p%x = 2 * round
    p%y = [1d0, 2d0, round * 1d0]
    !$omp end single copyprivate(n, z, table, p)
    call check(n == round .and. z == round * 0.5d0, 'scalars')
    call check(table(9) == 9 .and. table(10) == round, 'array')
    call check(p%x == 2 * round .and. p%y(3) == round, 'derived type')
    !$omp end parallel
  end do
  call verdict()
contains
  include 'check.inc'
end program copyprivate
