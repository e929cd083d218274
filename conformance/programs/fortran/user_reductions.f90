! Declared reductions of derived types and of operators from Fortran. OpenMP 5.1, 2.21.5.7
!@ needs: flang 23
module points
  implicit none
  type point
    integer :: x = 0
    real(8) :: y = 0
  end type point
  interface operator(+)
    procedure add
  end interface
  !$omp declare reduction(+: point: omp_out = omp_out + omp_in) initializer(omp_priv = point(0, 0d0))
contains
  pure function add(a, b) result(c)
    type(point), intent(in) :: a, b
    type(point) :: c
    c = point(a%x + b%x, a%y + b%y)
  end function add
end module points

program user_reductions
  use points
  implicit none
  integer :: failures = 0
  integer :: i, far
  type(point) :: total
  !$omp declare reduction(furthest: integer: omp_out = merge(omp_in, omp_out, abs(omp_in) > abs(omp_out))) initializer(omp_priv = 0)

  total = point(1, 0.5d0)
  far = 0
  !$omp parallel do reduction(+: total) reduction(furthest: far) schedule(dynamic, 2)
  do i = -100, 90
    total = total + point(i, 0.25d0)
    far = merge(i, far, abs(i) > abs(far))
  end do
  call check(total%x == 1 - 955 .and. total%y == 0.5d0 + 191 * 0.25d0, 'derived type')
  call check(far == -100, 'a named reduction')
  call verdict()
contains
  include 'check.inc'
end program user_reductions
